// Each oracle of a chain was said to draw from a stream of its own, but the seed was made from the
// oracle's name alone: the second of two `random` oracles looked at the words of the first again.
#include <boost/test/unit_test.hpp>

#include "rnnalf/oracle/oracle_chain.hpp"
#include "support/coded_dfa.hpp"
#include "support/recorded_words.hpp"

namespace rnnalf {
namespace {

/// How many words the oracles of the chain look at, other than prefixes of each other.
std::size_t words_of(const std::string& chain) {
  const support::RecordedWords acceptor(support::tomita(4));
  StateTree tree(acceptor, {});
  (void)make_chain(parse_oracles(chain), {.tree = tree})->find(support::tomita(4), Budget());
  return acceptor.words_run();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_second_oracle_of_the_same_kind_looks_at_other_words) {
  for (const std::string oracle : {"random:per-length=10:max-length=30:all=0:guided=0:mode=uniform",
                                   "random-w:walks=20", "state-prefix", "pumping:words=200"}) {
    BOOST_TEST_CONTEXT(oracle) {
      const std::size_t once = words_of(oracle);
      BOOST_TEST(words_of(oracle + "," + oracle) > once + once / 4);
    }
  }
}

}  // namespace rnnalf
