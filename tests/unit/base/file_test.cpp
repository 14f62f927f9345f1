#include "rnnalf/base/file.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf {
namespace {

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(every_byte_comes_back) {
  const support::TemporaryFolder folder;
  std::string bytes;
  for (unsigned i = 0; i < 200000; ++i) bytes += static_cast<char>(i * i);
  BOOST_TEST((read_file(folder.file("bytes", bytes), bytes.size()) == bytes));
  BOOST_TEST(read_file(folder.file("empty", ""), 0) == "");
}

BOOST_AUTO_TEST_CASE(a_file_above_the_limit_is_refused) {
  const support::TemporaryFolder folder;
  const auto path = folder.file("large", std::string(1001, 'x'));
  BOOST_CHECK_THROW((void)read_file(path, 1000), FileError);
  BOOST_TEST(read_file(path, 1001).size() == 1001U);
}

BOOST_AUTO_TEST_CASE(an_endless_file_is_refused_at_the_limit) {
  BOOST_CHECK_THROW((void)read_file("/dev/zero", 1U << 20U), FileError);
}

BOOST_AUTO_TEST_CASE(a_missing_file_and_a_folder_are_errors_that_name_them) {
  const support::TemporaryFolder folder;
  const auto names = [](const std::filesystem::path& path) {
    return [path](const FileError& error) {
      return std::string(error.what()).starts_with(path.string() + ": ");
    };
  };
  BOOST_CHECK_EXCEPTION((void)read_file(folder / "none", 10), FileError, names(folder / "none"));
  BOOST_CHECK_EXCEPTION((void)read_file(folder.path(), 10), FileError, names(folder.path()));
}

BOOST_AUTO_TEST_CASE(a_broken_invariant_gives_condition_values_and_the_place_in_the_project) {
  const auto says_it_all = [](const std::logic_error& error) {
    const std::string text = error.what();
    return text.starts_with("rnnalf/base/x.cpp:7: ") && text.find("a < b") != std::string::npos &&
           text.find("3 and 2") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(
      check_failed("a < b", "/home/someone/rnnalf/plugin/rnnalf/base/x.cpp", 7, "3 and 2"),
      std::logic_error, says_it_all);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
