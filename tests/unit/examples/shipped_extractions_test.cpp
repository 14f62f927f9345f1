// What extraction finds in the networks that ship. Runs are ended by numbers of states or rounds,
// so that nothing depends on the machine's speed.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/automaton/language_sampler.hpp"
#include "rnnalf/base/random.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/networks/load_network.hpp"

using namespace rnnalf;
namespace fs = std::filesystem;

namespace {

struct Shipped {
  explicit Shipped(const std::string& name)
      : spec(load_network(fs::path(RNNALF_EXAMPLE_NETWORKS) / (name + ".onnx")).spec),
        acceptor(make_acceptor(spec)) {}

  /// Ends by counts, with the last hypothesis.
  [[nodiscard]] Run extract(ExtractionOptions options) const {
    options.exact = true;
    options.time_limit = std::chrono::hours(1);
    return Extraction(make_network(spec), libalf_learners(), std::move(options)).run();
  }

  NetworkSpec spec;
  std::unique_ptr<RnnAcceptor> acceptor;
};

Dfa target_of(const std::string& name, const Alphabet& alphabet) {
  return over_alphabet(read_dfa_file(fs::path(RNNALF_EXAMPLE_NETWORKS) / (name + ".target.dot")),
                       alphabet);
}

/// The words of the run on which the network is not what it was trained to be.
std::vector<Word> errors(const Run& run, const Dfa& target) {
  std::vector<Word> words;
  for (const Counterexample& counterexample : run.counterexamples) {
    if (target.answer(counterexample.word) != counterexample.answer) {
      words.push_back(counterexample.word);
    }
  }
  return words;
}

/// How deep the automaton counts: up to here it accepts (^d )^d, and no closing one fewer or more.
std::size_t nesting_depth(const Dfa& dfa, const Alphabet& alphabet) {
  const auto accepts = [&](std::size_t opening, std::size_t closing) {
    return dfa.accepts(alphabet.parse_word(std::string(opening, '(') + std::string(closing, ')')));
  };
  std::size_t depth = 0;
  while (depth < dfa.size() && accepts(depth + 1, depth + 1) && !accepts(depth + 1, depth) &&
         !accepts(depth + 1, depth + 2)) {
    ++depth;
  }
  return depth;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extractions_from_the_shipped_networks)

BOOST_AUTO_TEST_CASE(every_learner_finds_the_tomita_languages_and_then_only_the_networks_errors) {
  for (int number = 1; number <= 7; ++number) {
    const std::string name = "tomita" + std::to_string(number) + "_gru100";
    const Shipped network(name);
    const Dfa target = target_of(name, network.spec.alphabet);
    for (const LearnerInfo& learner : learners()) {
      BOOST_TEST_CONTEXT(name << ", " << learner.name) {
        const Run run =
            network.extract({.learner = std::string(learner.name),
                             .oracles = parse_oracles("samples,abstraction,pumping:words=1000"),
                             .max_states = 2 * target.size(),
                             .max_queries = 3000});
        const auto found = std::find_if(run.hypotheses.begin(), run.hypotheses.end(),
                                        [&](const HypothesisRecord& h) { return h.dfa == target; });
        BOOST_TEST_REQUIRE((found != run.hypotheses.end()));
        if (run.limit == Limit::None) {
          BOOST_TEST((run.dfa() == target));
        } else {  // the network leaves its target: the word that refuted it is its error
          BOOST_TEST_REQUIRE(found->refuted_by.has_value());
          BOOST_TEST(!errors(run, target).empty());
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(
    the_automata_of_the_random_languages_agree_with_the_networks_on_long_words_too) {
  for (const std::string name : {"rand10_3_s1_gru100", "rand10_3_s5_lstm100"}) {
    const Shipped network(name);
    // One state more than the target: the empty word was not trained with.
    const Run run = network.extract({.max_states = 11});
    Random random(4);
    for (const std::size_t length : {10U, 50U, 100U, 1000U}) {
      std::vector<Word> words;
      for (int i = 0; i < 1000; ++i) words.push_back(uniform_word(3, length, random));
      const std::vector<Classification> answers = classify(*network.acceptor, words);
      int agreed = 0;
      for (std::size_t i = 0; i < words.size(); ++i) {
        agreed += run.dfa().answer(words[i]) == answers[i].answer ? 1 : 0;
      }
      BOOST_TEST(agreed >= 999, name << ", length " << length << ": " << agreed);
    }
  }
}

BOOST_AUTO_TEST_CASE(where_the_published_method_stops_too_early_the_default_goes_on) {
  const Shipped network("json_gru100");
  const Run published = network.extract(paper_options());
  BOOST_TEST((published.limit == Limit::None));
  const Word no_list = network.spec.alphabet.parse_word("S,]");
  BOOST_TEST(!classify(*network.acceptor, {&no_list, 1}).front().accepted());
  BOOST_TEST(published.dfa().accepts(no_list));

  const Run run = network.extract({.max_queries = 5000, .max_rounds = 20});
  BOOST_TEST(!run.dfa().accepts(no_list));
  BOOST_TEST(!errors(run, target_of("json_gru100", network.spec.alphabet)).empty());
}

BOOST_AUTO_TEST_CASE(words_that_a_network_of_email_addresses_gets_wrong_are_found_in_a_few_rounds) {
  const Shipped network("emails_lstm100");
  const Run run = network.extract({.max_queries = 10000, .max_rounds = 10});
  const std::vector<Word> wrong = errors(run, target_of("emails_lstm100", network.spec.alphabet));
  BOOST_TEST(!wrong.empty());
}

BOOST_AUTO_TEST_CASE(balanced_parentheses_are_found_to_depth_eight_and_more) {
  for (const std::string name : {"bp_gru50", "bp_lstm50"}) {
    BOOST_TEST_CONTEXT(name) {
      const Shipped network(name);
      for (const OracleChain& oracles :
           {paper_options().oracles, parse_oracles("samples,abstraction")}) {
        const Run run = network.extract(
            {.learner = "lstar", .oracles = oracles, .max_states = 12, .max_queries = 100000});
        BOOST_TEST(nesting_depth(run.dfa(), network.spec.alphabet) >= 8U);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
