// Extraction(network, {.preset = Preset::Paper}) ran with the defaults and reported the preset,
// which every front end had to put in place itself; and options that contradict it, such as
// `--preset paper --until settled`, were overridden without a word.
#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "support/coded_dfa.hpp"
#include "support/message_of.hpp"
#include "support/network_of.hpp"

namespace rnnalf {
namespace {

using Given = std::vector<std::pair<std::string_view, std::string_view>>;

ExtractionOptions read(const Given& given) {
  ExtractionOptions options;
  for (const auto& [name, text] : given) {
    for (const auto& field : ExtractionOptions::table()) {
      if (field.name == name) field.read(options, text);
    }
  }
  return options;
}

std::string refusal(const ExtractionOptions& options) {
  return support::message_of<OptionError>([&] { validate(options); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_preset_of_the_library_did_nothing)

BOOST_AUTO_TEST_CASE(the_preset_is_put_in_place_by_the_library) {
  const support::CodedDfa acceptor(support::tomita(4), 4, 0.2, 1);
  ExtractionOptions options;
  options.preset = Preset::Paper;
  options.seed = 3;
  options.threads = 1;
  const Run run = Extraction(support::network_of(acceptor), libalf_learners(), options).run();
  BOOST_TEST(run.options.learner == "lstar");
  BOOST_TEST(oracles_text(run.options.oracles, Parameters::All) ==
             oracles_text(parse_oracles("samples,abstraction:depth=10:depth-limit=10:samples=0"),
                          Parameters::All));
  BOOST_TEST(run.options.exact);
  BOOST_TEST(!run.options.use_known_answers);
  BOOST_TEST(!run.options.shorten_counterexamples);
  BOOST_TEST(run.ladder.size() == 1U);  // the result alone is measured
  BOOST_TEST(run.options.seed == 3U);
  // What is complete is taken as it is.
  const Run again = Extraction(support::network_of(acceptor), libalf_learners(), run.options).run();
  BOOST_TEST((again.dfa() == run.dfa()));
  BOOST_TEST(again.statistics.rnn_steps == run.statistics.rnn_steps);
}

BOOST_AUTO_TEST_CASE(options_that_contradict_each_other_are_refused_with_the_field_named) {
  const std::pair<Given, const char*> table[] = {
      {{{"preset", "paper"}, {"learner", "ttt"}},
       "learner: expected lstar with preset paper, found 'ttt'"},
      {{{"preset", "paper"}, {"oracle", "samples,abstraction:depth=4"}},
       "oracle: expected samples,abstraction:depth-limit=10:samples=0 with preset paper, found "
       "'samples,abstraction:depth=4'"},
      {{{"oracle-mode", "shortest"}, {"preset", "paper"}},
       "oracle-mode: expected first with preset paper, found 'shortest'"},
      {{{"preset", "paper"}, {"until", "settled"}},
       "until: expected exact with preset paper, found 'settled'"},
      {{{"preset", "paper"}, {"alike-symbols", "3"}},
       "alike-symbols: expected 0 with preset paper, found '3'"},
      {{{"preset", "paper"}, {"exact", "false"}},
       "exact: expected true with preset paper, found 'false'"},
      {{{"exact", "true"}, {"until", "settled"}},
       "until: expected exact with exact, found 'settled'"},
      {{{"method", "kmeans:k=3"}, {"learner", "ttt"}},
       "learner: expected none with method kmeans:k=3, which has no learner and no oracles, "
       "found 'ttt'"},
      {{{"method", "kmeans:k=3"}, {"preset", "paper"}},
       "preset: expected none with method kmeans:k=3, which has no learner and no oracles, "
       "found 'paper'"},
      {{{"method", "kmeans:k=3"}, {"max-rounds", "7"}},
       "max-rounds: expected none with method kmeans:k=3, which has no learner and no oracles, "
       "found '7'"},
  };
  for (const auto& [given, message] : table) BOOST_TEST(refusal(read(given)) == message);
}

BOOST_AUTO_TEST_CASE(options_that_say_the_same_are_fine) {
  const Given table[] = {
      {{"preset", "paper"}, {"learner", "lstar"}},
      {{"preset", "paper"}, {"until", "exact"}, {"exact", "true"}, {"alike-symbols", "0"}},
      {{"preset", "paper"}, {"oracle", "samples,abstraction:depth-limit=10:samples=0"}},
      {{"preset", "paper"}, {"max-rounds", "3"}, {"seed", "2"}, {"time-limit", "1s"}},
      {{"preset", "none"}, {"until", "settled"}},
      {{"exact", "true"}, {"until", "exact"}},
      {{"method", "kmeans:k=3"}, {"preset", "none"}, {"max-rounds", "none"}},
  };
  for (const Given& given : table) BOOST_TEST(refusal(read(given)) == "accepted");
}

BOOST_AUTO_TEST_CASE(a_field_that_is_not_the_default_was_meant_whoever_set_it) {
  ExtractionOptions options;
  options.preset = Preset::Paper;
  options.learner = "nlstar";
  BOOST_TEST(refusal(options) == "learner: expected lstar with preset paper, found 'nlstar'");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
