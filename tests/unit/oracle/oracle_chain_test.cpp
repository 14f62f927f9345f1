#include "rnnalf/oracle/oracle_chain.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"
#include "support/coded_dfa.hpp"
#include "support/message_of.hpp"

namespace rnnalf {
namespace {

std::string refusal(std::string_view spec) {
  return support::message_of<OptionError>([&] { (void)parse_oracles(spec); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(oracle_chain)

BOOST_AUTO_TEST_CASE(an_unknown_oracle_is_refused_with_the_names_that_exist) {
  const std::string message = refusal("samples,psychic");
  BOOST_TEST(message.find("'psychic'") != std::string::npos);
  for (const OracleKind& kind : oracle_kinds()) {
    BOOST_TEST(message.find(kind.name) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_parameter_is_refused_with_the_parameters_that_exist) {
  BOOST_TEST(
      refusal("random:lengths=4") ==
      "random: no parameter 'lengths'. It has per-length, max-length, all, guided, mode, time");
}

BOOST_AUTO_TEST_CASE(values_that_cannot_be_used_are_refused_with_the_parameter_named) {
  const std::pair<const char*, const char*> table[] = {
      {"random:per-length=many",
       "random: per-length: expected a whole number from 1, found 'many'"},
      {"random:per-length=", "random: per-length: expected a whole number from 1, found ''"},
      {"random:per-length=-3", "random: per-length: expected a whole number from 1, found '-3'"},
      {"random:per-length=3x", "random: per-length: expected a whole number from 1, found '3x'"},
      {"random:per-length=0", "random: per-length: expected a whole number from 1, found '0'"},
      {"random:guided=2", "random: guided: expected a number from 0 to 1, found '2'"},
      {"random:guided=nan", "random: guided: expected a number from 0 to 1, found 'nan'"},
      {"random:mode=wild", "random: mode: expected increasing or uniform, found 'wild'"},
      {"random:time=0", "random: time: expected a time above 0 such as 60s, 5m or 2h, found '0'"},
      {"pumping:words=0", "pumping: words: expected a whole number from 1, found '0'"},
      {"random:per-length", "random: expected parameter=value, found 'per-length'"},
  };
  for (const auto& [spec, message] : table) BOOST_TEST(refusal(spec) == message);
}

BOOST_AUTO_TEST_CASE(empty_names_are_refused) {
  for (const char* spec : {"", ",", "samples,", ":words=3"}) {
    BOOST_TEST(refusal(spec).find("no oracle ''") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(the_text_of_a_chain_has_every_value_and_reads_as_the_same_chain) {
  const OracleChain chain = parse_oracles("random:per-length=7:time=0.5,pumping");
  const std::string text = oracles_text(chain);
  BOOST_TEST(text.find("random:per-length=7:max-length=30") == 0U);
  BOOST_TEST(text.find(":time=0.5,pumping:words=") != std::string::npos);
  BOOST_TEST(oracles_text(parse_oracles(text)) == text);
}

BOOST_AUTO_TEST_CASE(the_time_of_an_oracle_has_the_units_of_every_time) {
  for (const char* const text : {"2", "2s", "2000ms"}) {
    const OracleChain chain = parse_oracles(std::string("random:time=") + text);
    BOOST_TEST(chain.front().time.value().count() == 2.0);
  }
}

BOOST_AUTO_TEST_CASE(a_table_shows_the_parameters_that_were_given_alone) {
  const OracleChain chain = parse_oracles("random:per-length=7:max-length=30,pumping");
  BOOST_TEST(oracles_text(chain, Parameters::GivenAlone) == "random:per-length=7,pumping");
}

BOOST_AUTO_TEST_CASE(every_kind_is_made_under_its_name_with_its_defaults) {
  const support::CodedDfa acceptor(support::tomita(4), 4, 0.2, 1);
  StateTree tree(acceptor, {});
  const Budget no_limit;
  for (const OracleKind& kind : oracle_kinds()) {
    BOOST_TEST_CONTEXT(kind.name) {
      BOOST_TEST(!kind.summary.empty());
      const OraclePtr oracle = make_chain(parse_oracles(kind.name), {.tree = tree});
      const EquivalenceAnswer answer = oracle->find(support::tomita(4), no_limit);
      BOOST_TEST((answer.verdict == Verdict::NoneFound));
      BOOST_TEST_REQUIRE(answer.evidence.size() == 1U);
      BOOST_TEST(answer.evidence[0].oracle == kind.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(those_who_watch_the_run_see_which_oracle_is_asked) {
  const support::CodedDfa network(support::tomita(5), 8, 0.01, 1);
  StateTree tree(network, {});
  Progress progress;
  tree.watch(progress);
  const auto oracle = make_chain(parse_oracles("samples,random:per-length=5"), {.tree = tree});
  (void)oracle->find(Dfa(2), Budget());  // rejects the empty word: `samples` knows better
  BOOST_TEST(std::string(progress.activity.load()) == "samples");
  (void)oracle->find(support::tomita(5), Budget());
  BOOST_TEST(std::string(progress.activity.load()) == "random");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace rnnalf
