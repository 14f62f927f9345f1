#include "rnnalf/network/metadata.hpp"

#include <boost/test/unit_test.hpp>

#include "rnnalf/base/errors.hpp"

using namespace rnnalf;

BOOST_AUTO_TEST_SUITE(metadata)

BOOST_AUTO_TEST_CASE(white_space_is_shown_in_a_file_s_own_alphabet_as_in_a_vocabulary) {
  const TextPlace place{"net", "metadata 'rnnalf.alphabet'"};
  const Alphabet alphabet = parse_alphabet(R"(["a", " ", "\n", "\t"])", place);
  BOOST_TEST((alphabet == Alphabet({"a", "\u2423", "\u2424", "\u2409"})));
  // A probe of the same file may have the symbol itself.
  const auto probes = parse_probes(R"([[["a", " "], 0.5]])", alphabet, place);
  BOOST_TEST((probes.front().word == Word{Symbol{0}, Symbol{1}}));
  BOOST_CHECK_THROW(static_cast<void>(parse_alphabet(R"([" ", "\u2423"])", place)),
                    NetworkFileError);
}

BOOST_AUTO_TEST_CASE(a_score_may_be_that_of_every_class) {
  const TextPlace place{"probes.json", ""};
  const Alphabet alphabet = Alphabet::parse("ab");
  for (const char* text :
       {"[[[0, 1], [0.25, 0.75]]]", R"([{"word": "ab", "score": [0.25, 0.75]}])"}) {
    const auto probes = parse_probes(text, alphabet, place);
    BOOST_TEST_REQUIRE(probes.size() == 1U);
    BOOST_TEST((probes[0].word == Word{Symbol{0}, Symbol{1}}));
    BOOST_TEST((probes[0].classes == std::vector<double>{0.25, 0.75}));
  }
}

BOOST_AUTO_TEST_SUITE_END()
