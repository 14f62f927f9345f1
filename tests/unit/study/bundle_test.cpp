#include "rnnalf/study/bundle.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/study/tar.hpp"
#include "support/program.hpp"
#include "support/seeded_random.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

StudyRow row(std::uint64_t seed, std::uint64_t states) {
  StudyRow result;
  result.cell.network = "nets/a.onnx";
  result.cell.learner = "ttt";
  result.cell.oracle = "random";
  result.cell.program = "rnnalf 1 bits 1";
  result.cell.seed = seed;
  result.cell.states = states;
  result.cell.verdict = RunVerdict::NoneFound;
  result.cell.seconds = 1;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_bundle_and_diff)

BOOST_AUTO_TEST_CASE(an_archive_is_what_tar_reads_and_what_we_read) {
  const support::TemporaryFolder folder;
  support::SeededRandom random(5);
  std::vector<NamedBytes> files;
  for (std::size_t i = 0; i < 12; ++i) {
    std::string bytes(random.below(2000), ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    const std::string name =
        (i == 3 ? std::string(90, 'd') + "/" + std::string(60, 'e') + "/" : "") + "f" +
        std::to_string(i);
    files.emplace_back(name, bytes);
  }
  files.emplace_back("empty", "");
  const std::string archive = tar_archive(files);
  BOOST_TEST((tar_files(archive, "a.tar") == files));
  static_cast<void>(folder.file("a.tar", archive));
  static_cast<void>(support::output_of("cd " + folder.path().string() + " && tar xf a.tar"));
  for (const auto& [name, bytes] : files) {
    std::ifstream unpacked(folder / name, std::ios::binary);
    BOOST_TEST(std::string((std::istreambuf_iterator<char>(unpacked)), {}) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_archive_is_refused) {
  const std::string archive = tar_archive({{"a", std::string(600, 'x')}, {"b", "y"}});
  BOOST_CHECK_THROW((void)tar_files(archive.substr(0, 700), "a.tar"), FileError);
  BOOST_CHECK_THROW((void)tar_files(archive.substr(0, 1536), "a.tar"), FileError);
  std::string other = archive;
  other[3] = 'z';
  BOOST_CHECK_THROW((void)tar_files(other, "a.tar"), FileError);
  BOOST_CHECK_THROW((void)tar_files(std::string(2000, 'q'), "a.tar"), FileError);
  BOOST_CHECK_THROW((void)tar_files("", "a.tar"), FileError);
}

BOOST_AUTO_TEST_CASE(the_same_results_of_another_program_on_another_machine_are_the_same) {
  StudyRow other = row(1, 5);
  other.cell.program = "rnnalf 2 bits 2";
  other.cell.seconds = 77;
  other.cell.network = "elsewhere/a.onnx";
  other.machine = "another";
  const StudyDiff diff = study_diff({row(1, 5)}, {other});
  BOOST_TEST(diff.same == 1U);
  BOOST_TEST(diff.agrees());
  BOOST_TEST(diff.seconds_second == 77);
}

BOOST_AUTO_TEST_CASE(what_was_counted_otherwise_is_named) {
  const StudyDiff diff =
      study_diff({row(1, 5), row(2, 5), row(3, 5)}, {row(1, 5), row(2, 6), row(4, 5)});
  BOOST_TEST(diff.same == 1U);
  BOOST_TEST_REQUIRE(diff.different.size() == 1U);
  BOOST_TEST(diff.different[0].fields == "states 5 and 6");
  BOOST_TEST(diff.different[0].what == "a.onnx, ttt random, seed 2");
  BOOST_TEST(diff.only_first.size() == 1U);
  BOOST_TEST(diff.only_second.size() == 1U);
  BOOST_TEST(!diff.agrees());
}

BOOST_AUTO_TEST_CASE(another_automaton_of_the_same_size_is_not_the_same) {
  StudyRow first = row(1, 5);
  StudyRow second = first;
  first.dfa = R"({"initial":0})";
  BOOST_TEST(study_diff({first}, {second}).agrees());  // of a program that kept none
  second.dfa = R"({"initial":1})";
  const StudyDiff diff = study_diff({first}, {second});
  BOOST_TEST_REQUIRE(diff.different.size() == 1U);
  BOOST_TEST(diff.different[0].fields == "automaton");
  BOOST_TEST(!diff.agrees());
}

BOOST_AUTO_TEST_CASE(what_a_clock_ended_may_differ) {
  StudyRow slow = row(1, 9);
  slow.cell.verdict = RunVerdict::TimeLimit;
  const StudyDiff diff = study_diff({row(1, 5)}, {slow});
  BOOST_TEST_REQUIRE(diff.different.size() == 1U);
  BOOST_TEST(diff.different[0].by_clock);
  BOOST_TEST(diff.agrees());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
