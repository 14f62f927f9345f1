#include "units.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "arguments.hpp"

namespace rnnalf::cli {
namespace {

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(units)

const std::vector<std::string> times = {"60", "60s", "60 s", "1m", "1min", "60000ms", "60.0"};
BOOST_DATA_TEST_CASE(a_minute_can_be_said_in_many_ways, data::make(times), text) {
  BOOST_TEST(parse_duration("time-limit", text).count() == 60.0);
}

BOOST_AUTO_TEST_CASE(longer_and_shorter_times) {
  BOOST_TEST(parse_duration("t", "1.5h").count() == 5400.0);
  BOOST_TEST(parse_duration("t", "2d").count() == 172800.0);
  BOOST_TEST(parse_duration("t", "0").count() == 0.0);
}

const std::vector<std::string> no_times = {"",    "s",   "-1",   "1x",   "1 s s", "inf",
                                           "nan", "1e3", "0x10", "1,5s", "1s2"};
BOOST_DATA_TEST_CASE(what_is_no_time_is_refused_with_the_options_name, data::make(no_times), text) {
  BOOST_CHECK_EXCEPTION(
      (void)parse_duration("time-limit", text), UsageError, [&](const auto& error) {
        return std::string(error.what()).starts_with("--time-limit: expected a time") &&
               std::string(error.what()).find("'" + text + "'") != std::string::npos;
      });
}

struct Size {
  std::string text;
  std::uint64_t bytes;
};
std::ostream& operator<<(std::ostream& out, const Size& size) {
  return out << size.text;
}
const std::vector<Size> sizes = {{"0", 0},
                                 {"1000", 1000},
                                 {"200MB", 200'000'000},
                                 {"200mb", 200'000'000},
                                 {"4GiB", 4ULL << 30U},
                                 {"4 GiB", 4ULL << 30U},
                                 {"4Gi", 4ULL << 30U},
                                 {"1.5k", 1500},
                                 {"2T", 2'000'000'000'000},
                                 {"1TiB", 1ULL << 40U},
                                 {"7B", 7}};
BOOST_DATA_TEST_CASE(sizes_have_decimal_and_binary_units, data::make(sizes), size) {
  BOOST_TEST(parse_bytes("memory-limit", size.text) == size.bytes);
}

const std::vector<std::string> no_sizes = {"", "GB", "-1", "4 XB", "1e3", "99999999999T", "inf"};
BOOST_DATA_TEST_CASE(what_is_no_size_is_refused, data::make(no_sizes), text) {
  BOOST_CHECK_THROW((void)parse_bytes("memory-limit", text), UsageError);
}

BOOST_AUTO_TEST_CASE(counts_are_whole_and_within_their_range) {
  BOOST_TEST(parse_count("seed", "0", 0, UINT64_MAX) == 0U);
  BOOST_TEST(parse_count("seed", "18446744073709551615", 0, UINT64_MAX) == UINT64_MAX);
  BOOST_TEST(parse_count("threads", "64", 1, 64) == 64U);
  for (const char* text :
       {"", "-1", "0", "65", "1.5", "1 ", " 1", "0x1", "one", "99999999999999999999"}) {
    BOOST_CHECK_THROW((void)parse_count("threads", text, 1, 64), UsageError);
  }
}

BOOST_AUTO_TEST_CASE(numbers_are_finite_and_within_their_range) {
  BOOST_TEST(parse_number("tolerance", "0.001", 0, 1) == 0.001);
  BOOST_TEST(parse_number("tolerance", "1e-3", 0, 1) == 0.001);
  for (const char* text : {"", "-0.1", "1.1", "nan", "inf", "0.5x"}) {
    BOOST_CHECK_THROW((void)parse_number("tolerance", text, 0, 1), UsageError);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf::cli
