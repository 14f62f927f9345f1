// The Moore machine that a network with five classes was made from comes out of it again.

#include <boost/test/unit_test.hpp>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/extraction/extraction.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/libalf/libalf_learners.hpp"
#include "rnnalf/networks/open_network.hpp"

namespace rnnalf {
namespace {

const std::string kFolder = RNNALF_TEST_DATA "/classes/";

Network network(const NetworkOptions& given = {}) {
  NetworkOptions options = given;
  options.read.alphabet = Alphabet::parse("abc");
  options.read.cell = "elman-tanh";
  return open_network(kFolder + "exact.pt", options).network;
}

Dfa target() {
  return over_alphabet(read_dfa_file(kFolder + "five.target.dot"), Alphabet::parse("abc"), 5);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(classes_extraction)

BOOST_AUTO_TEST_CASE(every_learner_of_moore_machines_finds_it) {
  BOOST_TEST(target().size() == 10U);
  for (const LearnerInfo& learner : learners()) {
    if (!learner.moore) continue;
    const Run run =
        Extraction(network(), libalf_learners(), {.learner = std::string(learner.name)}, target())
            .run();
    BOOST_TEST((run.dfa() == minimise(target())), learner.name);
  }
}

BOOST_AUTO_TEST_CASE(it_comes_out_of_a_network_that_was_trained_to_be_it) {
  NetworkOptions options;
  options.read.alphabet = Alphabet::parse("abc");
  const Network trained = open_network(kFolder + "trained.pt", options).network;
  BOOST_TEST((Extraction(trained, libalf_learners(), {}).run().dfa() == minimise(target())));
}

BOOST_AUTO_TEST_CASE(one_class_against_the_others_is_a_dfa) {
  Dfa third(3, 10);
  const Dfa machine = minimise(target());
  third.set_initial(machine.initial());
  for (std::size_t q = 0; q < machine.size(); ++q) {
    const auto state = static_cast<LState>(q);
    third.set_accepting(state, index(machine.answer(state)) == 3);
    for (const std::uint32_t a : {0U, 1U, 2U}) {
      third.set_next(state, Symbol{a}, machine.next(state, Symbol{a}));
    }
  }
  NetworkOptions options;
  options.read.accept_class = 3;
  const Run run = Extraction(network(options), libalf_learners(), {}).run();
  BOOST_TEST((run.dfa() == minimise(third)));
}

BOOST_AUTO_TEST_CASE(a_learner_of_dfas_alone_says_so) {
  BOOST_CHECK_EXCEPTION(
      Extraction(network(), libalf_learners(), {.learner = "nlstar"}), OptionError,
      [](const OptionError& error) {
        return std::string(error.what()) ==
               "learner: expected one of lstar, lstar-columns, rivest-schapire, ttt, "
               "observation-pack, lsharp for the 5 classes of this network, found 'nlstar', did "
               "you mean "
               "lstar?";
      });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace rnnalf
