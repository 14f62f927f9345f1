#include "output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "support/temporary_folder.hpp"

namespace rnnalf::cli {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  return read_file(path, 1U << 20U);
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

BOOST_AUTO_TEST_SUITE(output)

BOOST_AUTO_TEST_CASE(a_file_appears_at_commit_and_not_before) {
  const support::TemporaryFolder folder;
  const fs::path path = folder / "dfa.dot";
  Output output(path.string());
  output.write("half");
  output.flush();
  BOOST_TEST(!fs::exists(path));
  output.write(" and half");
  output.commit();
  BOOST_TEST(content(path) == "half and half");
  BOOST_TEST(entries(folder.path()) == 1U);
}

BOOST_AUTO_TEST_CASE(without_commit_the_old_file_stays_and_nothing_else_is_left) {
  const support::TemporaryFolder folder;
  const fs::path path = folder.file("dfa.dot", "old");
  {
    Output output(path.string());
    output.write("new");
    output.flush();
  }
  BOOST_TEST(content(path) == "old");
  BOOST_TEST(entries(folder.path()) == 1U);
}

BOOST_AUTO_TEST_CASE(a_replaced_file_keeps_its_permissions_and_a_new_one_gets_the_usual_ones) {
  const support::TemporaryFolder folder;
  const fs::path old = folder.file("old", "x");
  ::chmod(old.c_str(), 0640);
  write_output(old.string(), "y");
  struct stat found {};
  ::stat(old.c_str(), &found);
  BOOST_TEST((found.st_mode & 0777) == 0640U);
  const mode_t mask = ::umask(027);
  write_output((folder / "new").string(), "y");
  ::umask(mask);
  ::stat((folder / "new").c_str(), &found);
  BOOST_TEST((found.st_mode & 0777) == 0640U);
}

BOOST_AUTO_TEST_CASE(a_name_as_long_as_names_can_be_is_fine) {
  const support::TemporaryFolder folder;
  const std::string longest(255, 'x');
  write_output((folder / longest).string(), "y");
  BOOST_TEST(content(folder / longest) == "y");
}

BOOST_AUTO_TEST_CASE(a_link_stays_a_link) {
  const support::TemporaryFolder folder;
  const fs::path target = folder.file("target", "old");
  fs::create_symlink("target", folder / "link");
  write_output((folder / "link").string(), "new");
  BOOST_TEST(fs::is_symlink(folder / "link"));
  BOOST_TEST(content(target) == "new");
}

BOOST_AUTO_TEST_CASE(a_link_that_leads_to_nothing_stays_a_link) {
  const support::TemporaryFolder folder;
  fs::create_symlink("second", folder / "first");
  fs::create_symlink("target", folder / "second");
  write_output((folder / "first").string(), "new");
  BOOST_TEST(fs::is_symlink(folder / "first"));
  BOOST_TEST(fs::is_symlink(folder / "second"));
  BOOST_TEST(content(folder / "target") == "new");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_is_named) {
  const support::TemporaryFolder folder;
  const auto named = [](const std::string& path) {
    return [path](const FileError& error) {
      return std::string(error.what()).starts_with(path + ": cannot write: ");
    };
  };
  const std::string missing = (folder / "no/such/folder.dot").string();
  BOOST_CHECK_EXCEPTION(Output{missing}, FileError, named(missing));
  const std::string directory = folder.path().string();
  BOOST_CHECK_EXCEPTION(Output{directory}, FileError, named(directory));
  BOOST_CHECK_THROW(Output{""}, FileError);
  fs::create_symlink("loop", folder / "loop");
  const std::string loop = (folder / "loop").string();
  BOOST_CHECK_EXCEPTION(Output{loop}, FileError, named(loop));
}

BOOST_AUTO_TEST_CASE(a_full_device_is_noticed) {
  BOOST_CHECK_THROW(write_output("/dev/full", "x"), FileError);
  Output output("/dev/full");
  BOOST_CHECK_THROW(output.write(std::string(1U << 20U, 'x')), FileError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf::cli
