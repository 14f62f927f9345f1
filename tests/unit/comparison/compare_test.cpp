#include "rnnalf/comparison/compare.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

const std::string kNetwork = RNNALF_EXAMPLE_NETWORKS "/tomita5_rnn30.onnx";

/// Two quick extractions from a network of a language with 4 states.
ComparisonOptions two_extractions() {
  ComparisonOptions options;
  options.networks = {kNetwork};
  options.learners = {"lstar", "ttt"};
  options.lengths = {5, 20};
  options.per_length = 30;
  return options;
}

/// Counts what it is told.
struct Counter : ComparisonObserver {
  std::size_t total = 0, stored = 0, begun = 0, ended = 0;

  void planned(std::size_t of_plan, std::size_t of_store) override {
    total = of_plan;
    stored = of_store;
  }
  Progress* begin(std::size_t number, const PlannedExtraction& /*extraction*/) override {
    begun = number;
    return nullptr;
  }
  void end(std::chrono::duration<double> /*time*/) override { ++ended; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(compare_networks)

BOOST_AUTO_TEST_CASE(every_result_is_measured_on_the_words_of_its_network) {
  const auto cells = compare(two_extractions());
  BOOST_TEST_REQUIRE(cells.size() == 2U);
  BOOST_TEST(cells[0].learner == "lstar");
  BOOST_TEST(cells[1].learner == "ttt");
  for (const ComparisonCell& cell : cells) {
    BOOST_TEST(cell.verdict_name() == "none-found");
    BOOST_TEST(cell.states == 4U);  // even numbers of 0s and of 1s
    BOOST_TEST(cell.equals_target.value());
    BOOST_TEST_REQUIRE(cell.by_length.size() == 2U);
    BOOST_TEST(cell.by_length[1].first == 20U);
    BOOST_TEST(cell.by_length[1].second.words == 30U);
    BOOST_TEST(cell.by_length[1].second.covered == 30U);
    BOOST_TEST(cell.rnn_steps > 0U);
  }
}

BOOST_AUTO_TEST_CASE(each_network_is_measured_on_words_of_its_own) {
  const support::TemporaryFolder folder;
  ComparisonOptions options = two_extractions();
  options.learners = {"ttt"};
  options.networks.clear();
  for (const std::string name : {"one", "two"}) {
    const std::filesystem::path copy = folder / (name + ".onnx");
    std::filesystem::copy_file(kNetwork, copy);
    options.networks.push_back(copy.string());
  }
  static_cast<void>(folder.file("one.txt", "0\n11\n"));
  static_cast<void>(folder.file("two.txt", "101\n"));
  static_cast<void>(folder.file("both.txt", "1\n1\n1\n"));
  options.words = {(folder / "{name}.txt").string(), (folder / "both.txt").string()};
  const auto cells = compare(options);
  BOOST_TEST_REQUIRE(cells.size() == 2U);
  BOOST_TEST(cells[0].given.value().words == 5U);
  BOOST_TEST(cells[1].given.value().words == 4U);
  BOOST_TEST(cells[0].inputs != cells[1].inputs);  // other words, another result
}

BOOST_AUTO_TEST_CASE(a_file_is_read_when_the_comparison_is_planned_and_not_again) {
  const support::TemporaryFolder folder;
  const std::filesystem::path copy = folder / "net.onnx";
  std::filesystem::copy_file(kNetwork, copy);
  ComparisonOptions options = two_extractions();
  options.networks = {copy.string()};
  const ComparisonPlan plan = plan_comparison(options);
  std::filesystem::remove(copy);
  ComparisonStore nothing("");
  BOOST_TEST(compare(plan, nothing).size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_in_the_store_is_not_run_again) {
  const support::TemporaryFolder folder;
  const std::string file = (folder / "cells").string();
  ComparisonOptions options = two_extractions();
  options.learners = {"ttt"};
  {
    ComparisonStore store(file);
    BOOST_TEST(compare(plan_comparison(options), store).size() == 1U);
  }
  ComparisonStore store(file);
  Counter counter;
  const auto cells = compare(plan_comparison(two_extractions()), store, Budget(), &counter);
  BOOST_TEST(cells.size() == 2U);
  BOOST_TEST(counter.total == 2U);
  BOOST_TEST(counter.stored == 1U);
  BOOST_TEST(counter.begun == 1U);  // lstar is the first of the plan
  BOOST_TEST(counter.ended == 1U);
}

BOOST_AUTO_TEST_CASE(what_the_budget_stopped_is_no_result) {
  Budget budget;
  budget.interrupt();
  BOOST_TEST(compare(two_extractions(), budget).empty());
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_found_by_the_plan) {
  ComparisonOptions options = two_extractions();
  options.networks.push_back("no/such/file.onnx");
  BOOST_CHECK_THROW((void)plan_comparison(options), FileError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
