#include <boost/test/unit_test.hpp>

#include "rnnalf/tensors/zip_archive.hpp"
#include "unit/pytorch/file_builders.hpp"

using namespace rnnalf;
using namespace rnnalf::test;

namespace {

std::string content(const std::string& file, const std::string& name) {
  const tensors::Bytes bytes = tensors::ZipArchive(bytes_of(file), "x.pt").entry(name);
  return std::string(tensors::text_at(bytes, 0, bytes.size()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(zip_archive)

BOOST_AUTO_TEST_CASE(entries_are_found_by_name) {
  const std::string file =
      zip({{.name = "a/one", .content = "first"}, {.name = "a/two", .content = ""}});
  BOOST_TEST(content(file, "a/one") == "first");
  BOOST_TEST(content(file, "a/two") == "");
  BOOST_TEST(content(file + "", "a/one") == "first");
}

BOOST_AUTO_TEST_CASE(zip64_sizes_and_directories_are_read) {
  const std::vector<ZipEntry> entries = {{.name = "a", .content = "first", .zip64 = true},
                                         {.name = "b", .content = "second", .zip64 = true}};
  BOOST_TEST(content(zip(entries), "b") == "second");
  BOOST_TEST(content(zip(entries, true), "b") == "second");
}

BOOST_AUTO_TEST_CASE(an_archive_comment_is_skipped) {
  std::string file = zip({{.name = "a", .content = "first"}});
  file.replace(file.size() - 2, 2, le(7, 2));
  BOOST_TEST(content(file + "comment", "a") == "first");
}

BOOST_AUTO_TEST_CASE(one_name_with_an_ending_is_found_and_two_are_none) {
  const std::string one =
      zip({{.name = "x/data.pkl", .content = ""}, {.name = "x/version", .content = ""}});
  BOOST_TEST(tensors::ZipArchive(bytes_of(one), "x.pt").unique_name_ending("/data.pkl") ==
             "x/data.pkl");
  const std::string two =
      zip({{.name = "x/data.pkl", .content = ""}, {.name = "y/data.pkl", .content = ""}});
  BOOST_TEST(tensors::ZipArchive(bytes_of(two), "x.pt").unique_name_ending("/data.pkl") == "");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_refused_in_words) {
  struct Case {
    std::string file;
    std::string message;
  };
  std::string damaged = zip({{.name = "a", .content = "first"}});
  damaged[31] = 'F';  // the local header has 30 bytes, the name one
  std::string overlapping =
      zip({{.name = "a", .content = std::string(100, 'x')}, {.name = "b", .content = ""}});
  const std::size_t second = overlapping.rfind("PK\x01\x02");
  overlapping.replace(second + 20, 8, le(200, 4) + le(200, 4));
  std::string far = zip({{.name = "a", .content = "first", .zip64 = true}});
  far.replace(far.size() - 22 - 8, 8, le(~0ULL - 5, 8));
  std::string long_entry = zip({{.name = "a", .content = "first"}});
  const std::size_t only = long_entry.rfind("PK\x01\x02");
  long_entry.replace(only + 20, 8, le(80, 4) + le(80, 4));
  std::string many = zip({{.name = "a", .content = "first"}}, true);
  many.replace(many.rfind("PK\x06\x06") + 32, 8, le(~0ULL, 8));

  const std::vector<Case> cases = {
      {"PK\x03\x04 and nothing else",
       "expected a directory at its end, found none; the file is cut off"},
      {zip({{.name = "b", .content = ""}}), "expected an entry 'a', found none"},
      {zip({{.name = "a", .content = "x", .method = 8}}), "found it compressed (method 8)"},
      {zip({{.name = "a", .content = "x", .flags = 1}}), "found it encrypted"},
      {zip({{.name = "a", .content = "x"}, {.name = "a", .content = "y"}}), "found 'a' twice"},
      {damaged, "does not have the checksum"},
      {overlapping, "zip entry 'b': expected at most"},
      {far, "expected its header at byte 18446744073709551610, found none"},
      {long_entry, "expected 80 bytes from byte 31, found the end of the file"},
      {many, "expected directory entry 2 of 18446744073709551615"},
  };
  for (const Case& c : cases) {
    const std::string message = refusal([&] { content(c.file, "a"); });
    BOOST_TEST(message.find(c.message) != std::string::npos, message + " | expected: " + c.message);
    BOOST_TEST(message.starts_with("x.pt: "), message);
  }
}

BOOST_AUTO_TEST_SUITE_END()
