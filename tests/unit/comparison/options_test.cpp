#include "rnnalf/comparison/options.hpp"

#include <boost/test/unit_test.hpp>

namespace rnnalf {
namespace {

/// What tells the ways apart, as text.
std::vector<std::string> described(const std::vector<ExtractionOptions>& ways) {
  std::vector<std::string> texts;
  for (const ExtractionOptions& way : ways) {
    texts.push_back(way.method.text() + " " + way.learner + " " +
                    oracles_text(way.oracles, Parameters::GivenAlone));
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison_options)

BOOST_AUTO_TEST_CASE(every_learner_meets_every_chain_of_oracles) {
  ComparisonOptions options;
  options.learners = {"lstar", "ttt"};
  options.oracles = {parse_oracles("samples"), parse_oracles("samples,random")};
  const Texts expected = {
      "abstraction-refinement lstar samples", "abstraction-refinement lstar samples,random",
      "abstraction-refinement ttt samples", "abstraction-refinement ttt samples,random"};
  BOOST_TEST(described(ways_to_extract(options)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_not_given_is_that_of_the_extraction) {
  ComparisonOptions options;
  options.extraction.learner = "nlstar";
  options.extraction.oracles = parse_oracles("random");
  BOOST_TEST(described(ways_to_extract(options)) == Texts{"abstraction-refinement nlstar random"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_baseline_is_one_way_and_has_nothing_of_learners_and_oracles) {
  ComparisonOptions options;
  options.methods = {parse_method("kmeans:k=3")};
  options.learners = {"lstar", "ttt"};
  options.extraction.preset = Preset::Paper;
  options.extraction.max_rounds = 5;
  options.extraction.max_states = 70;
  const auto ways = ways_to_extract(options);
  BOOST_TEST_REQUIRE(ways.size() == 1U);
  BOOST_TEST((ways[0].preset == Preset::None));
  BOOST_TEST(!ways[0].exact);
  BOOST_TEST(!ways[0].max_rounds.has_value());
  BOOST_TEST(ways[0].max_states.value() == 70U);
}

BOOST_AUTO_TEST_CASE(the_preset_takes_learners_and_oracles_that_are_given_instead_of_its_own) {
  ComparisonOptions options;
  options.extraction.preset = Preset::Paper;
  options.oracles = {parse_oracles("samples")};
  const auto ways = ways_to_extract(options);
  BOOST_TEST_REQUIRE(ways.size() == 1U);
  BOOST_TEST(ways[0].learner == "lstar");
  BOOST_TEST(oracles_text(ways[0].oracles) == oracles_text(parse_oracles("samples")));
  BOOST_TEST(ways[0].exact);
  BOOST_TEST(!ways[0].use_known_answers);
}

BOOST_AUTO_TEST_CASE(a_learner_that_does_not_exist_is_refused_where_one_is_needed) {
  ComparisonOptions options;
  options.learners = {"lstra"};
  BOOST_CHECK_THROW(validate(options), OptionError);
  options.methods = {parse_method("quantization:q=2")};
  BOOST_CHECK_NO_THROW(validate(options));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
