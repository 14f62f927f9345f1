#include "rnnalf/comparison/store.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "support/full_disk.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

ComparisonCell cell(std::uint64_t seed) {
  ComparisonCell result;
  result.network = "net.onnx";
  result.seed = seed;
  result.states = 10 * seed;
  return result;
}

std::string text_of(const std::filesystem::path& file) {
  return read_file(file, std::size_t{1} << 20U);
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

using Lines = std::vector<std::size_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison_store)

BOOST_AUTO_TEST_CASE(what_was_added_is_found_by_the_next_run) {
  const support::TemporaryFolder folder;
  const std::string file = (folder / "cells").string();
  {
    ComparisonStore store(file);
    BOOST_TEST(store.find(cell(1)) == nullptr);
    store.add(cell(1));
    store.add(cell(2));
  }
  const ComparisonStore store(file);
  BOOST_TEST_REQUIRE(store.find(cell(2)) != nullptr);
  BOOST_TEST(store.find(cell(2))->states == 20U);
  BOOST_TEST(store.find(cell(3)) == nullptr);
}

BOOST_AUTO_TEST_CASE(half_a_line_costs_its_cell_and_no_other) {
  const support::TemporaryFolder folder;
  const std::filesystem::path file = folder / "cells";
  {
    ComparisonStore store(file.string());
    store.add(cell(1));
    store.add(cell(2));
  }
  const std::string whole = text_of(file);
  write(file, whole.substr(0, whole.size() - 30));  // killed while writing
  {
    ComparisonStore store(file.string());
    BOOST_TEST(store.damaged_lines() == Lines{3}, boost::test_tools::per_element());
    BOOST_TEST(store.find(cell(1)) != nullptr);
    BOOST_TEST(store.find(cell(2)) == nullptr);
    store.add(cell(2));
  }
  const ComparisonStore store(file.string());
  BOOST_TEST(store.find(cell(1)) != nullptr);
  BOOST_TEST(store.find(cell(2)) != nullptr);
}

BOOST_AUTO_TEST_CASE(a_changed_byte_is_noticed_wherever_it_is) {
  const support::TemporaryFolder folder;
  const std::filesystem::path file = folder / "cells";
  {
    ComparisonStore store(file.string());
    store.add(cell(1));
  }
  const std::string whole = text_of(file);
  for (std::size_t at = whole.find('\n') + 1; at + 1 < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = damaged[at] == '7' ? '8' : '7';
    write(file, damaged);
    const ComparisonStore store(file.string());
    BOOST_TEST(store.find(cell(1)) == nullptr);
    BOOST_TEST(store.damaged_lines() == Lines{2}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_store_is_refused_and_not_touched) {
  const support::TemporaryFolder folder;
  const std::filesystem::path file = folder / "network.onnx";
  write(file, "precious\nbytes");
  BOOST_CHECK_THROW(ComparisonStore(file.string()), FileError);
  BOOST_TEST(text_of(file) == "precious\nbytes");
  BOOST_CHECK_THROW(ComparisonStore(folder.path().string()), FileError);
  BOOST_CHECK_THROW(ComparisonStore((folder / "no" / "such").string()), FileError);
}

BOOST_AUTO_TEST_CASE(several_runs_may_add_at_the_same_time) {
  const support::TemporaryFolder folder;
  const std::string file = (folder / "cells").string();
  std::vector<std::thread> runs;
  for (std::uint64_t run = 0; run < 4; ++run) {
    runs.emplace_back([&, run] {
      ComparisonStore store(file);
      for (std::uint64_t i = 0; i < 50; ++i) store.add(cell(100 * run + i));
    });
  }
  for (std::thread& run : runs) run.join();
  const ComparisonStore store(file);
  BOOST_TEST(store.damaged_lines().empty());
  for (std::uint64_t run = 0; run < 4; ++run) {
    for (std::uint64_t i = 0; i < 50; ++i) BOOST_TEST(store.find(cell(100 * run + i)) != nullptr);
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_costs_no_row_that_was_added_before_or_is_added_after) {
  const support::TemporaryFolder folder;
  const std::filesystem::path file = folder / "cells";
  ComparisonStore store(file.string());
  store.add(cell(1));
  const std::string before = text_of(file);
  for (const std::size_t room : {0U, 1U, 20U, 200U}) {
    {
      const support::FullDisk full(before.size() + room);
      BOOST_CHECK_THROW(store.add(cell(2)), FileError);
    }
    BOOST_TEST(text_of(file) == before);
  }
  store.add(cell(3));
  const ComparisonStore again(file.string());
  BOOST_TEST(again.damaged_lines().empty());
  BOOST_TEST(again.find(cell(1)) != nullptr);
  BOOST_TEST(again.find(cell(3)) != nullptr);
}

BOOST_AUTO_TEST_CASE(half_a_line_of_another_process_does_not_swallow_the_next_row) {
  const support::TemporaryFolder folder;
  const std::filesystem::path file = folder / "cells";
  ComparisonStore store(file.string());
  store.add(cell(1));
  // It was killed in the middle of a line, after this store was opened.
  std::ofstream(file, std::ios::binary | std::ios::app) << "0123456789abcdef {\"network";
  store.add(cell(2));
  const ComparisonStore again(file.string());
  BOOST_TEST(again.damaged_lines() == Lines{3}, boost::test_tools::per_element());
  BOOST_TEST(again.find(cell(1)) != nullptr);
  BOOST_TEST(again.find(cell(2)) != nullptr);
}

BOOST_AUTO_TEST_CASE(without_a_path_nothing_is_kept) {
  ComparisonStore store("");
  store.add(cell(1));
  BOOST_TEST(store.find(cell(1)) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_checksum_is_fnv_1a_with_the_ends_of_parts) {
  Checksum ab_c, a_bc;
  ab_c.add("ab");
  ab_c.add("c");
  a_bc.add("a");
  a_bc.add("bc");
  BOOST_TEST(ab_c.text() != a_bc.text());
  BOOST_TEST(Checksum().text() == "cbf29ce484222325");  // the offset basis
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
