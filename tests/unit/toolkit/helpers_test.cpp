#include <libalf/alf.h>

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Word = std::list<int>;

template <class T>
T round_trip(const T& value) {
  const std::basic_string<std::int32_t> serial = serialize(value);
  serial_stretch stretch(serial);
  T copy{};
  BOOST_TEST(deserialize(copy, stretch));
  BOOST_TEST(stretch.empty());
  return copy;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(alphabet)

BOOST_AUTO_TEST_CASE(words_are_built_compared_and_printed) {
  BOOST_TEST((libalf::word(3, 0, 1, 0) == Word{0, 1, 0}));
  BOOST_TEST((libalf::word(0) == Word{}));
  using libalf::operator+;
  BOOST_TEST((Word{0} + Word{1, 2} == Word{0, 1, 2}));
  const std::unique_ptr<Word> both(libalf::concat({0}, {1}));
  BOOST_TEST((*both == Word{0, 1}));
  BOOST_TEST(libalf::is_prefix_of({0, 1}, {0, 1, 2}));
  BOOST_TEST(libalf::is_prefix_of({}, {}));
  BOOST_TEST(!libalf::is_prefix_of({1}, {0, 1}));
  BOOST_TEST(!libalf::is_prefix_of({0, 1}, {0}));
  BOOST_TEST(libalf::is_suffix_of({1, 2}, {0, 1, 2}));
  BOOST_TEST(!libalf::is_suffix_of({0, 1}, {0, 1, 2}));
  BOOST_TEST(libalf::word2string({0, 12}) == ".0.12.");
  BOOST_TEST(libalf::word2string({}) == ".");
  BOOST_TEST(libalf::word2string({1}, '-') == "-1-");
}

BOOST_AUTO_TEST_CASE(graded_order_counts_through_all_words) {
  Word word;
  std::vector<Word> seen{word};
  for (int i = 0; i < 6; ++i) {
    libalf::inc_graded_lex(word, 2);
    BOOST_TEST(libalf::is_graded_lex_smaller(seen.back(), word));
    seen.push_back(word);
  }
  BOOST_TEST((seen == std::vector<Word>{{}, {0}, {1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  for (std::size_t i = seen.size() - 1; i-- > 0;) {
    libalf::dec_graded_lex(word, 2);
    BOOST_TEST((word == seen[i]));
  }
  libalf::dec_graded_lex(word, 2);
  BOOST_TEST(word.empty());
  BOOST_TEST(libalf::is_lex_smaller({0, 1}, {1}));
  BOOST_TEST(!libalf::is_graded_lex_smaller({0, 1}, {1}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(serialisation)

BOOST_AUTO_TEST_CASE(values_survive_a_round_trip) {
  BOOST_TEST(round_trip(-5) == -5);
  BOOST_TEST(round_trip(true));
  BOOST_TEST(round_trip(0.1) == 0.1);
  BOOST_TEST(round_trip(-1e300) == -1e300);
  BOOST_TEST(round_trip(std::string("libalf")) == "libalf");
  using Nested = std::map<int, std::map<int, std::set<int>>>;
  const Nested nested{{1, {{2, {3, 4}}}}, {5, {}}};
  BOOST_TEST((round_trip(nested) == nested));
  const std::vector<std::pair<int, Word>> pairs{{1, {2, 3}}, {4, {}}};
  BOOST_TEST((round_trip(pairs) == pairs));
  BOOST_TEST((round_trip(libalf::extended_bool(true)) == libalf::extended_bool(true)));
}

BOOST_AUTO_TEST_CASE(a_count_that_lies_is_refused) {
  for (const int count : {-1, 2, 0x7fffffff}) {
    const auto serial = serialize(count) + serialize(1);
    serial_stretch stretch(serial);
    std::vector<int> into;
    BOOST_TEST(!deserialize(into, stretch));
  }
}

BOOST_AUTO_TEST_CASE(files_and_streams_carry_serialised_values) {
  using libalf::operator<<;
  using libalf::operator>>;
  libalf::knowledgebase<bool> knowledge;
  knowledge.add_knowledge({0, 1}, true);
  const auto serial = knowledge.serialize();
  std::stringstream stream;
  stream << serial;
  std::basic_string<std::int32_t> read;
  stream >> read;
  BOOST_TEST((read == serial));
  const std::string file =
      std::filesystem::temp_directory_path() / ("libalf_test." + std::to_string(getpid()));
  BOOST_TEST(libalf::basic_string_to_file(serial, file.c_str()));
  BOOST_TEST(libalf::file_to_basic_string(file.c_str(), read));
  BOOST_TEST((read == serial));
  std::remove(file.c_str());
  BOOST_TEST(!libalf::file_to_basic_string(file.c_str(), read));
  std::stringstream cut(std::string("\0\0\0\4\0", 5));
  cut >> read;
  BOOST_TEST(!cut);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(logger)

BOOST_AUTO_TEST_CASE(levels_decide_what_is_logged) {
  libalf::buffered_logger log(libalf::LOGGER_WARN, false);
  log(libalf::LOGGER_ERROR, "error %d\n", 1);
  log(libalf::LOGGER_WARN, "warning %s\n", std::string(500, 'x').c_str());
  log(libalf::LOGGER_INFO, "info\n");
  log(libalf::LOGGER_ALGORITHM, "algorithm\n");
  std::string text = "from a string\n";
  log(libalf::LOGGER_ERROR, text);
  const std::unique_ptr<std::string> messages(log.receive_and_flush());
  BOOST_TEST(*messages == "started logger instance\nerror 1\nwarning " + std::string(500, 'x') +
                              "\nfrom a string\n");
  const std::unique_ptr<std::string> rest(log.receive_and_flush());
  BOOST_TEST(rest->empty());
}

BOOST_AUTO_TEST_CASE(a_stream_logger_writes_start_stop_and_colours_on_demand) {
  std::ostringstream plain;
  {
    libalf::ostream_logger log(&plain, libalf::LOGGER_DEBUG, true, false);
    log(libalf::LOGGER_ALGORITHM, "closing\n");
  }
  BOOST_TEST(plain.str() == "started logger instance\nclosing\nstopped logger instance\n");
  std::ostringstream colored;
  libalf::ostream_logger log(&colored, libalf::LOGGER_ERROR);
  log(libalf::LOGGER_ERROR, "red\n");
  BOOST_TEST(colored.str().find("\033[1mstarted") == 0);
  BOOST_TEST(colored.str().find("\033[31mred") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(values_keep_their_type) {
  libalf::generic_statistics all;
  all["a"] = 3;
  all["b"] = 2.5;
  all["c"] = true;
  all["d"] = "text";
  all["e"];
  BOOST_TEST(static_cast<int>(all["a"]) == 3);
  BOOST_TEST(static_cast<double>(all["b"]) == 2.5);
  BOOST_TEST(static_cast<std::string>(all["d"]) == "text");
  BOOST_CHECK_THROW(static_cast<void>(static_cast<double>(all["a"])),
                    libalf::statistic_data_bad_typecast_e);
  int into = 0;
  BOOST_TEST(!all.get_integer_property("b", into));
  BOOST_TEST(!all.get_integer_property("missing", into));
  BOOST_TEST((all.get_integer_property("a", into) && into == 3));
  BOOST_TEST(all.to_string() ==
             "statistics = { integer \"a\" = 3; double \"b\" = 2.5; bool \"c\" = true; "
             "string \"d\" = \"text\"; unset \"e\"; }; ");
  for (const auto& [key, value] : all)
    BOOST_TEST(round_trip(value).to_string() == value.to_string());
}

BOOST_AUTO_TEST_SUITE_END()
