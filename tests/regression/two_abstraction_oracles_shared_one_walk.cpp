// Two `abstraction` oracles of one chain shared one exploration, which each reset to its own
// options when it was made: the first walked with the second's depth and reported its own.
#include <boost/test/unit_test.hpp>

#include "rnnalf/teacher/teacher.hpp"
#include "support/coded_dfa.hpp"
#include "support/words.hpp"

namespace rnnalf {
namespace {

const Budget kNoLimit;
const std::string kShallow = "abstraction:depth=1:depth-limit=1:samples=0";
const std::string kDeep = "abstraction:depth=6:depth-limit=6:samples=0";

/// What an abstraction oracle says and has learned about the R-states of all words of up to 7
/// symbols, after it was asked about these DFAs.
struct Walked {
  std::vector<LockstepWalk> walks;
  std::size_t size = 0;  // of the partition
  std::vector<AState> a_states;
};

/// Of every oracle of the chain.
std::vector<Walked> walked(const RnnAcceptor& acceptor, const std::string& chain) {
  const Alphabet alphabet = Alphabet::numbered(2);
  Teacher teacher(acceptor, alphabet, {.oracles = parse_oracles(chain)});
  std::vector<Walked> all(teacher.explorations().size());
  for (const Dfa& dfa : {Dfa(2), support::tomita(1), support::tomita(5), support::tomita(3)}) {
    const std::vector<EquivalenceAnswer> answers = teacher.examine(dfa, kNoLimit);
    BOOST_TEST_REQUIRE(answers.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].walks.push_back(std::get<LockstepWalk>(answers[i].evidence.front().looked_at));
    }
  }
  std::vector<Node> nodes;
  for (const Word& word : support::all_words(2, 7)) nodes.push_back(teacher.tree().add(word));
  BOOST_TEST_REQUIRE(teacher.tree().compute(nodes, kNoLimit));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].size = teacher.explorations()[i]->partition().size();
    all[i].a_states = teacher.explorations()[i]->a_states(nodes, kNoLimit).value();
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_of_two_abstraction_oracles_walks_as_it_does_alone) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const support::CodedDfa acceptor(support::tomita(5), 6, 0.2, seed);
    const Walked shallow = walked(acceptor, kShallow).at(0);
    const Walked deep = walked(acceptor, kDeep).at(0);
    BOOST_TEST_REQUIRE(shallow.size != deep.size);  // else nothing could be told from them
    for (const bool shallow_first : {true, false}) {
      const std::vector<Walked> both =
          walked(acceptor, shallow_first ? kShallow + "," + kDeep : kDeep + "," + kShallow);
      BOOST_TEST_REQUIRE(both.size() == 2U);
      for (const std::size_t i : {0U, 1U}) {
        const Walked& alone = (i == 0) == shallow_first ? shallow : deep;
        BOOST_TEST(both[i].size == alone.size);
        BOOST_TEST((both[i].walks == alone.walks));
        BOOST_TEST((both[i].a_states == alone.a_states));
      }
    }
  }
}

}  // namespace rnnalf
