#include "rnnalf/study/results.hpp"

#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "rnnalf/report/comparison_json.hpp"
#include "support/full_disk.hpp"
#include "support/seeded_random.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

StudyRow row(std::uint64_t seed) {
  StudyRow result;
  result.cell.network = "nets/a \"b\"\n.onnx";
  result.cell.seed = seed;
  result.cell.states = 3 + seed;
  result.cell.verdict = RunVerdict::NoneFound;
  result.cell.by_length = {{10, {5, 4, 3, 2}}};
  result.commit = "abc";
  result.machine = "a machine";
  result.host = "a host";
  result.sizes = {{0.25, 1}, {1.5, 3 + seed}};
  result.counterexamples = {{"0 1", "accept", "reject", "random", 0.5, 0.25},
                            {"", "reject", {}, "", 1, 0}};
  result.dfa = R"({"states":[1,2]})";
  return result;
}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                std::filesystem::directory_iterator()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_results)

BOOST_AUTO_TEST_CASE(a_row_is_read_as_it_was_written) {
  const StudyRow original = row(4);
  const auto read = parse_row(row_line(original));
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(row_line(*read) == row_line(original));
  BOOST_TEST(read->counterexamples[0].target.value() == "reject");
  BOOST_TEST(!read->counterexamples[1].target.has_value());
  BOOST_TEST(read->sizes[1].second == 7U);
  BOOST_TEST(read->dfa == original.dfa);
}

BOOST_AUTO_TEST_CASE(a_row_of_a_program_that_kept_no_automaton_is_read) {
  const std::string line = row_line(row(4));
  std::string json = line.substr(line.find(' ') + 1);
  json.erase(json.find(",\"dfa\""));
  json += "}";
  const auto read = parse_row(sha256(json) + " " + json + "\n");
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(read->dfa.empty());
  BOOST_TEST(read->cell.states == 7U);
}

BOOST_AUTO_TEST_CASE(no_changed_or_missing_byte_goes_unnoticed) {
  const std::string line = row_line(row(1));
  for (std::size_t at = 0; at < line.size(); ++at) {
    std::string damaged = line;
    damaged[at] = damaged[at] == '7' ? '8' : '7';
    BOOST_TEST(!parse_row(damaged).has_value(), "byte " << at);
    BOOST_TEST(!parse_row(line.substr(0, at)).has_value(), "cut at " << at);
  }
}

BOOST_AUTO_TEST_CASE(the_first_row_of_a_job_stays) {
  const support::TemporaryFolder folder;
  const StudyResults results(folder / "r");
  BOOST_TEST(results.keys().empty());
  BOOST_TEST(!results.row("k").has_value());
  BOOST_TEST(results.add("k", row(1)));
  BOOST_TEST(!results.add("k", row(2)));
  BOOST_TEST(results.row("k")->cell.seed == 1U);
  BOOST_TEST(results.keys().size() == 1U);
  results.remove("k");
  BOOST_TEST(results.keys().empty());
}

BOOST_AUTO_TEST_CASE(writers_at_the_same_time_leave_one_whole_row_each_and_nothing_else) {
  const support::TemporaryFolder folder;
  const StudyResults results(folder / "r");
  std::atomic<int> first = 0;
  std::vector<std::thread> writers;
  for (std::uint64_t writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&, writer] {
      for (std::uint64_t i = 0; i < 40; ++i) {
        // Everybody writes the first ten, each its own others.
        const std::string key = std::to_string(i < 10 ? i : 100 * (writer + 1) + i);
        if (results.add(key, row(writer)) && i < 10) ++first;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  BOOST_TEST(first == 10);
  BOOST_TEST(results.keys().size() == 10U + 4 * 30U);
  BOOST_TEST(files_in(folder / "r" / "rows") == 10U + 4 * 30U);
  for (const std::string& key : results.keys()) BOOST_TEST(results.row(key).has_value());
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error_and_leaves_nothing_behind) {
  const support::TemporaryFolder folder;
  const StudyResults results(folder / "r");
  BOOST_TEST(results.add("before", row(1)));
  {
    const support::FullDisk full(100);
    BOOST_CHECK_THROW(results.add("during", row(2)), FileError);
    BOOST_TEST(!results.row("during").has_value());
    BOOST_TEST(files_in(folder / "r" / "rows") == 1U);
  }
  BOOST_TEST(results.add("during", row(2)));
  BOOST_TEST(results.row("before").has_value());
  BOOST_TEST(results.row("during").has_value());
}

BOOST_AUTO_TEST_CASE(a_file_that_another_process_is_writing_is_no_row) {
  const support::TemporaryFolder folder;
  const StudyResults results(folder / "r");
  BOOST_TEST(results.add("k", row(1)));
  std::ofstream(folder / "r" / "rows" / ".x.row-host-1-0") << "half";
  BOOST_TEST(results.keys().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_damaged_row_is_not_taken_for_a_missing_one) {
  const support::TemporaryFolder folder;
  const StudyResults results(folder / "r");
  results.add("k", {});
  std::filesystem::resize_file(results.row_file("k"), 70);
  BOOST_CHECK_THROW((void)results.row("k"), DamagedRow);
  StudyPlan plan;
  plan.jobs.resize(1);
  plan.jobs[0].key = "k";
  BOOST_CHECK_THROW((void)rows_of(plan, results), DamagedRow);
  BOOST_TEST(!results.row("other").has_value());
}

BOOST_AUTO_TEST_CASE(a_plan_gives_back_its_jobs_and_the_study_as_it_was) {
  const support::TemporaryFolder folder;
  const StudyResults results(folder / "r");
  const Study study = parse_study("networks = 'a'\nseeds = '1-3'\n", "s.toml", folder.path());
  std::vector<StudyJob> jobs(3);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].key = "key" + std::to_string(i);
    jobs[i].network = "a";
    jobs[i].seed = 10 + i;
    jobs[i].time = std::chrono::duration<double>(0.5);
    jobs[i].memory = 77;
  }
  jobs[2].kind = StudyJob::Kind::Train;
  jobs[2].name = "net";
  const std::string plan = results.add_plan(study, jobs);
  BOOST_TEST(results.add_plan(study, jobs) == plan);
  const auto [read, job] = results.planned_job(plan, 1);
  BOOST_TEST(read.text == study.text);
  BOOST_TEST(read.folder == study.folder);
  BOOST_TEST(job.key == "key1");
  BOOST_TEST(job.seed == 11U);
  BOOST_TEST(job.time.count() == 0.5);
  BOOST_TEST((results.planned_job(plan, 2).second.kind == StudyJob::Kind::Train));
  BOOST_CHECK_THROW((void)results.planned_job(plan, 3), FileError);
  BOOST_CHECK_THROW((void)results.planned_job("other", 0), FileError);
  // A plan that somebody changed, or put there before us, is not run.
  std::ofstream(results.folder() / "plans" / plan / "study.toml", std::ios::app) << "\n";
  BOOST_CHECK_THROW((void)results.planned_job(plan, 1), FileError);
  jobs[0].seed = 5;
  BOOST_TEST(results.add_plan(study, jobs) != plan);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
