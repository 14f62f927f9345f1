#include "rnnalf/certify/certify.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "check/check.hpp"
#include "rnnalf/automaton/regex.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/network/fingerprint.hpp"
#include "support/certified_networks.hpp"
#include "support/layers.hpp"

namespace {

using namespace rnnalf;
using rnnalf::support::last_letter_dfa;
using rnnalf::support::last_letter_network;
using Verdict = Certification::Verdict;

Certification certified(const NetworkSpec& network, const Dfa& dfa, CertifyOptions options = {}) {
  Progress progress;
  return certify_agreement(network, dfa, options, Budget{}, progress);
}

const CellKind kCells[] = {CellKind::ElmanTanh, CellKind::Gru, CellKind::GruResetBefore,
                           CellKind::Lstm};

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(rnnalf::CellKind)

BOOST_AUTO_TEST_SUITE(certify_agreement_of)

BOOST_DATA_TEST_CASE(a_network_that_forgets_is_certified_and_the_checker_agrees,
                     boost::unit_test::data::make(kCells), cell) {
  const NetworkSpec network = last_letter_network(cell);
  const Certification result = certified(network, last_letter_dfa());
  BOOST_REQUIRE(result.verdict == Verdict::Certified);
  const std::string text = format_certificate(*result.certificate);
  const check::Theorem theorem = check::check(network, last_letter_dfa(), text);
  BOOST_TEST(theorem.sentence.starts_with("For every word over {0 1}, the empty word included"));
  BOOST_TEST(theorem.margin > 0);
  BOOST_TEST(theorem.sets == result.certificate->sets.size());
}

BOOST_AUTO_TEST_CASE(double_arithmetic_has_certificates_of_its_own) {
  const NetworkSpec network = last_letter_network();
  const Certification result =
      certified(network, last_letter_dfa(), CertifyOptions{.precision = Precision::Double});
  BOOST_REQUIRE(result.verdict == Verdict::Certified);
  const std::string text = format_certificate(*result.certificate);
  const std::string sentence = check::check(network, last_letter_dfa(), text).sentence;
  BOOST_TEST(sentence.find("executes it in float64") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_difference_on_a_short_word_refutes) {
  Dfa other = last_letter_dfa();
  other.set_accepting(LState{0}, true);
  other.set_accepting(LState{1}, false);
  const Certification result = certified(last_letter_network(), other, {.empty_word = true});
  BOOST_REQUIRE(result.verdict == Verdict::Refuted);
  BOOST_TEST(result.counterexample->size() == 1);
  BOOST_TEST(!result.certificate);
}

BOOST_AUTO_TEST_CASE(the_empty_word_refutes_unless_its_answer_is_given) {
  Dfa other = last_letter_dfa();  // a third state, the initial one, accepts the empty word
  const LState start = other.add_state(true);
  other.set_next(start, Symbol{0}, LState{0});
  other.set_next(start, Symbol{1}, LState{1});
  other.set_initial(start);
  const NetworkSpec network = last_letter_network();
  const Certification refuted = certified(network, other);
  BOOST_REQUIRE(refuted.verdict == Verdict::Refuted);
  BOOST_TEST(refuted.counterexample->empty());

  const Certification left_out = certified(network, other, {.empty_word = true});
  BOOST_REQUIRE(left_out.verdict == Verdict::Certified);
  const std::string text = format_certificate(*left_out.certificate);
  BOOST_TEST(check::check(network, other, text).sentence.find("the empty word left out") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(properties_are_proved_or_refuted_by_a_word) {
  using certify::Property;
  const NetworkSpec network = last_letter_network();
  const struct {
    const char* words;
    Property property;
    Verdict verdict;
  } cases[] = {{".*0", Property::Never, Verdict::Certified},
               {".*1", Property::Always, Verdict::Certified},
               {".*11", Property::Always, Verdict::Certified},
               {"0.*0", Property::Never, Verdict::Certified},
               {".*01", Property::Never, Verdict::Refuted},
               {".{30}", Property::Always, Verdict::Refuted}};
  for (const auto& one : cases) {
    const Dfa dfa = parse_regex(one.words, network.alphabet);
    const Certification result = certified(network, dfa, {.property = one.property});
    BOOST_TEST((result.verdict == one.verdict), one.words);
    if (result.certificate) {
      const std::string text = format_certificate(*result.certificate);
      BOOST_TEST(check::check(network, dfa, text).margin > 0);
    } else {
      BOOST_REQUIRE(result.counterexample.has_value());
      BOOST_TEST(dfa.accepts(*result.counterexample));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_network_with_two_stable_states_is_not_certified_for_one) {
  // With a weight of 3 on the past it never forgets: a word of 0s and 1s that begins with many 1s
  // is accepted for longer. Whatever the verdict is, it is not a proof.
  const NetworkSpec network = last_letter_network(CellKind::ElmanTanh, 6.0);
  Progress progress;
  const Certification result = certify_agreement(
      network, last_letter_dfa(), {}, Budget{std::chrono::duration<double>(2)}, progress);
  BOOST_TEST((result.verdict != Verdict::Certified));
}

BOOST_AUTO_TEST_CASE(claims_about_fewer_words_say_so) {
  const NetworkSpec network = last_letter_network();
  struct Case {
    CertifyOptions options;
    const char* words;
  };
  const Case cases[] = {{{.max_run = 3}, "every word with no symbol more than 3 times in a row"},
                        {{.max_length = 5}, "every word of at most 5 symbols"},
                        {{.symbols = Alphabet::parse("1")}, "every word of the symbols 1"}};
  for (const Case& one : cases) {
    const Certification result = certified(network, last_letter_dfa(), one.options);
    BOOST_REQUIRE(result.verdict == Verdict::Certified);
    const std::string text = format_certificate(*result.certificate);
    const std::string sentence = check::check(network, last_letter_dfa(), text).sentence;
    BOOST_TEST(sentence.starts_with("For " + std::string(one.words) + " over {0 1}"));
  }
}

BOOST_AUTO_TEST_CASE(threads_do_not_change_the_certificate) {
  const NetworkSpec network = last_letter_network(CellKind::Gru, 0.8);
  const Certification one = certified(network, last_letter_dfa(), {.threads = 1});
  const Certification three = certified(network, last_letter_dfa(), {.threads = 3});
  BOOST_REQUIRE(one.verdict == Verdict::Certified);
  BOOST_REQUIRE(three.verdict == Verdict::Certified);
  BOOST_TEST(format_certificate(*one.certificate) == format_certificate(*three.certificate));
}

BOOST_AUTO_TEST_CASE(a_spent_budget_leaves_the_question_open) {
  Budget budget;
  budget.interrupt();
  Progress progress;
  const Certification result =
      certify_agreement(last_letter_network(), last_letter_dfa(), {}, budget, progress);
  BOOST_TEST((result.verdict == Verdict::Open));
  BOOST_TEST((result.limit == Limit::Interrupt));
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  BOOST_CHECK_THROW(validate(CertifyOptions{.slack = -1}), OptionError);
  BOOST_CHECK_THROW(validate(CertifyOptions{.max_run = 0}), OptionError);
  BOOST_CHECK_THROW(validate(CertifyOptions{.threads = 2000}), OptionError);
  BOOST_CHECK_EXCEPTION(
      certified(last_letter_network(), last_letter_dfa(), {.symbols = Alphabet::parse("1x")}),
      OptionError, [](const OptionError& error) {
        return error.what() == std::string("letters: expected symbols of the network, found 'x'");
      });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(fingerprint_of)

BOOST_AUTO_TEST_CASE(sha256_of_the_standards_examples) {
  // FIPS 180-4 and its example values.
  BOOST_TEST(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(sha256(std::string(1'000'000, 'a')) ==
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(one_bit_of_one_weight_changes_it) {
  const NetworkSpec network = last_letter_network();
  NetworkSpec other = network;
  support::change_layers(other, [](LayerStack& stack) {
    double& weight = stack.layers[0].recurrent_weights.values[0];
    weight = std::nextafter(weight, 1.0);
  });
  BOOST_TEST(fingerprint(network) != fingerprint(other));
  other = network;
  other.file = "elsewhere";
  support::change_layers(other, [](LayerStack& stack) { stack.layers[0].recurrent_bias = {0.0}; });
  BOOST_TEST(fingerprint(network) == fingerprint(other));
}

BOOST_AUTO_TEST_SUITE_END()
