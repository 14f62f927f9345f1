#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/study/job.hpp"
#include "rnnalf/study/process.hpp"
#include "rnnalf/study/run_study.hpp"
#include "support/sanitizer.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

namespace fs = std::filesystem;

#if defined(RNNALF_UNDER_ASAN)
constexpr auto kEnoughMemory = "[job]\nmemory = '100000GB'";
#else
constexpr auto kEnoughMemory = "";  // by default
#endif

struct Place {
  support::TemporaryFolder folder;
  StudyResults results{folder / "r"};

  Place() {
    fs::copy_file(fs::path(RNNALF_EXAMPLE_NETWORKS) / "tomita5_rnn30.onnx", folder / "a.onnx");
  }
  [[nodiscard]] Study study(const std::string& more) const {
    return parse_study("networks = 'a.onnx'\nlengths = [5]\nper-length = 5\n" + more, "s.toml",
                       folder.path());
  }
  /// Plans, and runs the first job.
  [[nodiscard]] JobEnd run(const Study& study) const {
    const StudyPlan plan = plan_study(study);
    return run_job(results, results.add_plan(study, plan.jobs), 0);
  }
  [[nodiscard]] StudyRow row() const {
    const auto keys = results.keys();
    BOOST_TEST_REQUIRE(keys.size() == 1U);
    return results.row(*keys.begin()).value();
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(study_jobs)

BOOST_AUTO_TEST_CASE(a_job_leaves_a_row_with_what_came_out) {
  const Place place;
  BOOST_TEST((place.run(place.study(kEnoughMemory)) == JobEnd::Row));
  const StudyRow row = place.row();
  BOOST_TEST(row.cell.verdict_name() == "none-found");
  BOOST_TEST(row.cell.states == 4U);
  BOOST_TEST(row.cell.network == "a.onnx");
  BOOST_TEST(row.sizes.back().second == 4U);
  BOOST_TEST(row.counterexamples.size() == row.cell.counterexamples);
  BOOST_TEST(!row.machine.empty());
}

BOOST_AUTO_TEST_CASE(a_job_that_has_a_row_is_not_run_again) {
  const Place place;
  const Study study = place.study("");
  const StudyPlan plan = plan_study(study);
  StudyRow old;
  old.cell = plan.jobs.front().cell;
  old.cell.states = 99;
  place.results.add(plan.jobs.front().key, old);
  BOOST_TEST((place.run(study) == JobEnd::Row));
  BOOST_TEST(place.row().cell.states == 99U);
}

BOOST_AUTO_TEST_CASE(a_job_that_does_not_end_in_its_time_is_a_row_that_says_so) {
  const Place place;
  BOOST_TEST((place.run(place.study("[job]\ntime = '1ms'")) == JobEnd::Row));
  BOOST_TEST(place.row().cell.verdict_name() == "timed-out");
  BOOST_TEST(!place.row().cell.has_result());
}

BOOST_AUTO_TEST_CASE(a_job_that_gets_no_memory_is_a_row_that_says_so) {
  const Place place;
  BOOST_TEST((place.run(place.study("[job]\nmemory = '1MB'")) == JobEnd::Row));
  const std::string verdict(place.row().cell.verdict_name());
  BOOST_TEST((verdict == "out-of-memory" || verdict == "died" || verdict == "failed"), verdict);
  BOOST_TEST(!place.row().cell.has_result());
}

BOOST_AUTO_TEST_CASE(a_changed_network_is_no_result) {
  const Place place;
  const Study study = place.study(kEnoughMemory);
  const StudyPlan plan = plan_study(study);
  const std::string name = place.results.add_plan(study, plan.jobs);
  fs::copy_file(fs::path(RNNALF_EXAMPLE_NETWORKS) / "tomita1_gru100.onnx", place.folder / "a.onnx",
                fs::copy_options::overwrite_existing);
  BOOST_TEST((run_job(place.results, name, 0) == JobEnd::NoRow));
  BOOST_TEST(place.results.keys().empty());
}

BOOST_AUTO_TEST_CASE(training_keeps_what_the_command_leaves_when_it_succeeds) {
  const Place place;
  const Study study = parse_study(
      "networks = 'new/*.onnx'\n[train]\nfolder = 'new'\nnames = ['n']\n"
      "command = ['sh', '-c', 'cp a.onnx {folder}/{name}.onnx; echo 1 > {folder}/{name}.json']\n",
      "s.toml", place.folder.path());
  const StudyPlan plan = plan_study(study);
  BOOST_TEST(
      (run_job(place.results, place.results.add_plan(study, plan.trainings), 0) == JobEnd::Row));
  BOOST_TEST(fs::exists(place.folder / "new" / "n.onnx"));
  BOOST_TEST(fs::exists(place.folder / "new" / "n.json"));
  BOOST_TEST(std::distance(fs::directory_iterator(place.folder / "new"), {}) == 2);
  BOOST_TEST(plan_study(study).jobs.size() == 1U);
}

BOOST_AUTO_TEST_CASE(training_that_fails_is_a_row_with_its_last_words_and_no_network) {
  const Place place;
  const Study study = parse_study(
      "networks = 'new/*.onnx'\n[train]\nfolder = 'new'\nnames = ['n']\n"
      "command = ['sh', '-c', 'cp a.onnx {folder}/{name}.onnx; echo no luck >&2; exit 3']\n",
      "s.toml", place.folder.path());
  const StudyPlan plan = plan_study(study);
  BOOST_TEST(
      (run_job(place.results, place.results.add_plan(study, plan.trainings), 0) == JobEnd::Row));
  BOOST_TEST(place.row().message == "exit code 3: no luck");
  BOOST_TEST(!fs::exists(place.folder / "new" / "n.onnx"));
}

BOOST_AUTO_TEST_CASE(programs_are_run_with_what_they_say_and_within_their_time) {
  const std::chrono::duration<double> long_enough(20);
  const ProgramOutput good = run_program({"sh", "-c", "echo out; echo bad >&2"}, long_enough);
  BOOST_TEST(good.succeeded());
  BOOST_TEST(good.out == "out\n");
  BOOST_TEST(good.error == "bad");
  BOOST_TEST(run_program({"sh", "-c", "exit 7"}, long_enough).code == 7);
  BOOST_TEST(!run_program({"no-such-program-here"}, long_enough).succeeded());
  const ProgramOutput large =
      run_program({"sh", "-c", "yes 0123456789 | head -c 1000000"}, long_enough);
  BOOST_TEST(large.out.size() == 1'000'000U);
  const ProgramOutput late = run_program({"sleep", "60"}, std::chrono::duration<double>(0.1));
  BOOST_TEST(!late.succeeded());
  BOOST_TEST(late.error == "no answer");
}

BOOST_AUTO_TEST_CASE(one_run_of_a_study_at_a_time) {
  const Place place;
  const Study study = place.study("");
  class Nested : public StudyObserver {
   public:
    Nested(const Study& of, const StudyResults& in) : study_(of), results_(in) {}
    void planned(const StudyProgress&) override {
      StudyObserver nobody;
      BOOST_CHECK_THROW(
          (void)run_study(study_, results_, {.program = "/bin/true"}, Budget(), nobody), FileError);
      was_asked = true;
    }
    bool was_asked = false;

   private:
    const Study& study_;
    const StudyResults& results_;
  } observer(study, place.results);
  // The program that is called for each job writes no row, which ends the run.
  BOOST_CHECK_THROW(
      (void)run_study(study, place.results, {.program = "/bin/true"}, Budget(), observer), Error);
  BOOST_TEST(observer.was_asked);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
