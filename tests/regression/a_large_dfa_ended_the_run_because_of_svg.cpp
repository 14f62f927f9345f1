// `--svg` refused DFAs of more than 1,000 states, after the extraction: exit code 1, and summary
// and report were lost.
#include <boost/test/unit_test.hpp>

#include "graphviz.hpp"
#include "support/coded_dfa.hpp"

namespace rnnalf {

BOOST_AUTO_TEST_CASE(a_picture_is_made_of_every_dfa) {
  Random random(1);
  const Dfa dfa = support::random_minimal_dfa(4000, 2, random);
  BOOST_TEST_REQUIRE(dfa.size() > 1000U);
  const std::string svg =
      cli::picture_of_any({Alphabet({"0", "1"}), dfa}, {}, std::chrono::seconds(20));
  BOOST_TEST(svg.find("</svg>") != std::string::npos);
  BOOST_TEST(svg.find("The core: ") != std::string::npos);
}

}  // namespace rnnalf
