#include "rnnalf/base/option_table.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

namespace data = boost::unit_test::data;

/// What a kind reads out of a text.
template <class Value, class Kind>
Value value_of(const Kind& kind, std::string_view text) {
  Value value{};
  option_value::read(kind, text, value);
  return value;
}

double seconds(std::string_view text) {
  return value_of<std::chrono::duration<double>>(Seconds{}, text).count();
}

std::uint64_t bytes(std::string_view text) {
  return value_of<std::uint64_t>(Bytes{}, text);
}

BOOST_AUTO_TEST_SUITE(option_table)

const std::vector<std::string> times = {"60", "60s", "60 s", "1m", "1min", "60000ms", "60.0"};
BOOST_DATA_TEST_CASE(a_minute_can_be_said_in_many_ways, data::make(times), text) {
  BOOST_TEST(seconds(text) == 60.0);
}

BOOST_AUTO_TEST_CASE(longer_and_shorter_times) {
  BOOST_TEST(seconds("1.5h") == 5400.0);
  BOOST_TEST(seconds("2d") == 172800.0);
  BOOST_TEST(seconds("0") == 0.0);
}

const std::vector<std::string> no_times = {"",    "s",   "-1",   "1x",   "1 s s", "inf",
                                           "nan", "1e3", "0x10", "1,5s", "1s2"};
BOOST_DATA_TEST_CASE(what_is_no_time_is_refused, data::make(no_times), text) {
  BOOST_CHECK_EXCEPTION((void)seconds(text), OptionError, [&](const OptionError& error) {
    return error.what() == "expected a time such as 60s, 5m or 2h, found '" + text + "'";
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
  BOOST_TEST(bytes(size.text) == size.bytes);
}

const std::vector<std::string> no_sizes = {"", "GB", "-1", "4 XB", "1e3", "99999999999T", "inf"};
BOOST_DATA_TEST_CASE(what_is_no_size_is_refused, data::make(no_sizes), text) {
  BOOST_CHECK_THROW((void)bytes(text), OptionError);
}

BOOST_AUTO_TEST_CASE(counts_are_whole_and_within_their_range) {
  BOOST_TEST(value_of<std::uint64_t>(Count{}, "0") == 0U);
  BOOST_TEST(value_of<std::uint64_t>(Count{}, "18446744073709551615") == UINT64_MAX);
  const Count threads{.least = 1, .most = 64};
  BOOST_TEST(value_of<std::uint64_t>(threads, "64") == 64U);
  for (const char* text :
       {"", "-1", "0", "65", "1.5", "1 ", " 1", "0x1", "one", "99999999999999999999"}) {
    BOOST_CHECK_THROW((void)value_of<std::uint64_t>(threads, text), OptionError);
  }
}

BOOST_AUTO_TEST_CASE(counts_in_a_list_have_commas_between_them) {
  const Counts lengths{{.least = 1, .most = 100}};
  using List = std::vector<std::size_t>;
  BOOST_TEST(value_of<List>(lengths, "7") == (List{7}), boost::test_tools::per_element());
  BOOST_TEST(value_of<List>(lengths, "1,100,7") == (List{1, 100, 7}),
             boost::test_tools::per_element());
  for (const char* text : {"", ",", "1,", ",1", "1,,2", "1 2", "0,1", "1,101"}) {
    BOOST_CHECK_THROW((void)value_of<List>(lengths, text), OptionError);
  }
  BOOST_TEST(option_value::text(lengths, List{1, 100, 7}) == "1,100,7");
  BOOST_CHECK_THROW(option_value::check(lengths, List{1, 101}), OptionError);
}

BOOST_AUTO_TEST_CASE(numbers_are_finite_and_within_their_range) {
  const Number tolerance{.least = 0, .most = 1};
  BOOST_TEST(value_of<double>(tolerance, "0.001") == 0.001);
  BOOST_TEST(value_of<double>(tolerance, "1e-3") == 0.001);
  for (const char* text : {"", "-0.1", "1.1", "nan", "inf", "0.5x"}) {
    BOOST_CHECK_THROW((void)value_of<double>(tolerance, text), OptionError);
  }
}

BOOST_AUTO_TEST_CASE(a_range_is_said_as_messages_say_it) {
  BOOST_TEST(option_value::range(Count{}) == "");
  BOOST_TEST(option_value::range(Count{.least = 1}) == "from 1");
  BOOST_TEST(option_value::range(Count{.most = 1024}) == "from 0 to 1024");
  BOOST_TEST(option_value::range(Counts{{.most = 9}}) == "each from 0 to 9");
  BOOST_TEST(option_value::range(Number{}) == "");
  BOOST_TEST(option_value::range(Number{.least = 0}) == "from 0 on");
  BOOST_TEST(option_value::range(Number{.least = 0, .open = true}) == "above 0");
  BOOST_TEST(option_value::range(Number{.least = 0, .most = 1}) == "from 0 to 1");
  BOOST_TEST(option_value::range(Number{.least = 0, .most = 1, .open = true}) == "between 0 and 1");
  BOOST_TEST(option_value::range(Seconds{}) == "");
  BOOST_TEST(option_value::range(Seconds{.open = true}) == "above 0");
  BOOST_TEST(option_value::range(Text{}) == "");
}

struct Inner {
  std::uint64_t depth = 3;
};
struct Outer {
  Inner inner;
};

BOOST_AUTO_TEST_CASE(an_option_of_a_part_is_that_of_the_parts_own_table) {
  const std::vector<OptionField<Inner>> table = {
      option("depth", "N", Count{.most = 9}, &Inner::depth, "of it")};
  const OptionField<Outer> field = option_of_part<Outer>(
      field_of(table, "depth"), [](auto& outer) -> auto& { return outer.inner; });
  BOOST_TEST(field.name == "depth");
  BOOST_TEST(field.help == "of it");
  BOOST_TEST(field.range == "from 0 to 9");
  Outer outer;
  BOOST_TEST(field.text(outer) == "3");
  field.read(outer, "7");
  BOOST_TEST(outer.inner.depth == 7U);
  outer.inner.depth = 10;
  BOOST_CHECK_THROW(field.check(outer), OptionError);
  BOOST_CHECK_THROW((void)field_of(table, "deep"), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace rnnalf
