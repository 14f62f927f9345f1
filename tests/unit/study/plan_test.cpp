#include "rnnalf/study/plan.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/comparison/program.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;

/// A folder with two networks and their targets under networks/.
struct Place {
  support::TemporaryFolder folder;
  Place() {
    fs::create_directory(folder / "networks");
    for (const char* const name : {"tomita5_rnn30", "tomita1_gru100"}) {
      for (const char* const extension : {".onnx", ".target.dot"}) {
        const std::string file = std::string(name) + extension;
        fs::copy_file(fs::path(RNNALF_EXAMPLE_NETWORKS) / file, folder / "networks" / file);
      }
    }
  }
  [[nodiscard]] Study study(const std::string& text) const {
    return parse_study(text, "s.toml", folder.path());
  }
};

std::vector<std::string> keys(const StudyPlan& plan) {
  std::vector<std::string> result;
  for (const StudyJob& job : plan.jobs) result.push_back(job.key);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_plan)

BOOST_AUTO_TEST_CASE(every_network_meets_every_way_with_every_seed) {
  const Place place;
  const StudyPlan plan = plan_study(
      place.study("networks = 'networks/*.onnx'\nlearners = ['lstar', 'ttt']\nseeds = [4, 9]"));
  BOOST_TEST_REQUIRE(plan.jobs.size() == 8U);
  BOOST_TEST(plan.jobs[0].network == "networks/tomita1_gru100.onnx");
  BOOST_TEST(plan.jobs[0].cell.learner == "lstar");
  BOOST_TEST(plan.jobs[1].seed == 9U);
  BOOST_TEST(plan.jobs[7].network == "networks/tomita5_rnn30.onnx");
  const auto all = keys(plan);
  BOOST_TEST(std::set<std::string>(all.begin(), all.end()).size() == 8U);
  BOOST_TEST(plan.inputs.size() == 4U);  // with the targets
}

BOOST_AUTO_TEST_CASE(files_beside_a_network_are_among_what_was_read) {
  const Place place;
  const std::string network = "gru-external.13.onnx";
  for (const std::string& file : {network, network + ".data"}) {
    fs::copy_file(fs::path(RNNALF_TEST_DATA) / "ways" / file, place.folder / file);
  }
  const StudyPlan plan = plan_study(place.study("networks = '" + network + "'"));
  const std::vector<fs::path> expected = {place.folder / network,
                                          place.folder / (network + ".data")};
  BOOST_TEST((plan.inputs == expected));
}

BOOST_AUTO_TEST_CASE(keys_depend_on_what_is_computed_and_not_on_the_place) {
  const Place here;
  const Place there;
  const std::string text = "networks = 'networks/tomita5_rnn30.onnx'\n";
  const auto before = keys(plan_study(here.study(text)));
  BOOST_TEST((keys(plan_study(there.study(text))) == before));
  BOOST_TEST((keys(plan_study(here.study("# a comment\ntitle = 'x'\n" + text))) == before));
  for (const char* const changed :
       {"time-limit = '59s'", "seeds = 2", "learners = 'lstar'", "lengths = [3]",
        "empty-word = 'reject'", "max-steps = 77", "oracles = 'samples,random'"}) {
    BOOST_TEST((keys(plan_study(here.study(text + changed))) != before), changed);
  }
  fs::copy_file(there.folder / "networks" / "tomita1_gru100.onnx",
                there.folder / "networks" / "tomita5_rnn30.onnx",
                fs::copy_options::overwrite_existing);
  BOOST_TEST((keys(plan_study(there.study(text))) != before));
}

BOOST_AUTO_TEST_CASE(results_of_programs_with_other_bits_have_other_keys) {
  const Place place;
  const StudyPlan plan = plan_study(place.study("networks = 'networks/tomita5_rnn30.onnx'"));
  ComparisonCell cell = plan.jobs.front().cell;
  BOOST_TEST(cell.program.find("bits " + program_identity().bits) != std::string::npos);
  BOOST_TEST(program_identity().bits.size() == 16U);
  BOOST_TEST(job_key(cell) == plan.jobs.front().key);
  cell.program = "rnnalf 0.1.0 bits 0000000000000000";
  BOOST_TEST(job_key(cell) != plan.jobs.front().key);
}

BOOST_AUTO_TEST_CASE(a_job_is_opened_as_it_was_planned_or_refused) {
  const Place place;
  const Study study = place.study(
      "networks = 'networks/*.onnx'\nlearners = ['lstar', 'ttt']\nseeds = '1-3'\nlengths = [5]");
  const StudyPlan plan = plan_study(study);
  for (const std::size_t index : {0U, 4U, 11U}) {
    const PlannedJob job = open_job(study, plan.jobs[index]);
    BOOST_TEST(job_key(job.extraction.cell) == plan.jobs[index].key);
    BOOST_TEST(job.extraction.options.seed == plan.jobs[index].seed);
    BOOST_TEST(job.plan.networks.size() == 1U);
  }
  fs::copy_file(place.folder / "networks" / "tomita1_gru100.target.dot",
                place.folder / "networks" / "tomita5_rnn30.target.dot",
                fs::copy_options::overwrite_existing);
  BOOST_CHECK_THROW((void)open_job(study, plan.jobs[11]), FileError);
  BOOST_CHECK_NO_THROW((void)open_job(study, plan.jobs[0]));
}

BOOST_AUTO_TEST_CASE(networks_that_are_to_be_trained_come_first) {
  const Place place;
  const std::string text =
      "networks = ['networks/tomita5_rnn30.onnx', 'new/*.onnx']\n"
      "[train]\nfolder = 'new'\nnames = ['a', 'b']\ncommand = ['true']\n";
  StudyPlan plan = plan_study(place.study(text));
  BOOST_TEST(plan.trainings.size() == 2U);
  BOOST_TEST(plan.jobs.empty());
  BOOST_TEST(plan.networks == 3U);
  fs::create_directory(place.folder / "new");
  for (const char* const name : {"a.onnx", "b.onnx"}) {
    fs::copy_file(place.folder / "networks" / "tomita1_gru100.onnx", place.folder / "new" / name);
  }
  plan = plan_study(place.study(text));
  BOOST_TEST(plan.trainings.empty());
  BOOST_TEST(plan.jobs.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_target_can_be_named) {
  const Place place;
  const std::string text = "networks = 'networks/tomita5_rnn30.onnx'\n";
  const auto with = [&](const std::string& more) {
    const Study study = place.study(text + more);
    return open_job(study, plan_study(study).jobs.front()).plan.networks.front().target->size();
  };
  BOOST_TEST(with("") == 4U);
  BOOST_TEST(with("targets = {tomita5_rnn30 = 'networks/tomita1_gru100.target.dot'}") == 2U);
  BOOST_CHECK_THROW((void)with("targets = {tomita5_rnn30 = 'none.dot'}"), FileError);
}

BOOST_AUTO_TEST_CASE(patterns_that_match_nothing_and_files_that_are_no_networks_are_refused) {
  const Place place;
  BOOST_CHECK_THROW((void)plan_study(place.study("networks = 'networks/*.pt'")), FileError);
  BOOST_CHECK_THROW((void)plan_study(place.study("networks = 'networks/*.dot'")), FileError);
  BOOST_CHECK_THROW(
      (void)plan_study(place.study("networks = 'networks/*.onnx'\nwords = 'none.txt'")), FileError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
