#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/automaton/dfa.hpp"
#include "rnnalf/oracle/counterexample.hpp"
#include "rnnalf/states/state_tree.hpp"

namespace rnnalf {

/// Words with the network's answers: where a DFA and the network are compared on many words.
struct AnsweredWords {
  std::vector<Word> words = {};
  std::vector<Answer> answers = {};  ///< of the network, as many as there are words; may be None
  std::vector<double> margins = {};  ///< how clear each answer is; may be empty

  [[nodiscard]] std::size_t size() const { return words.size(); }
  [[nodiscard]] bool differs(const Dfa& dfa, std::size_t i) const {
    return contradicts(answers[i], dfa.answer(words[i]));
  }
  void append(AnsweredWords more);
  /// Positions of the words on which the DFA gives another answer, in order.
  [[nodiscard]] std::vector<std::size_t> differing(const Dfa& dfa) const;
  /// On how many words the DFA gives the network's answer.
  [[nodiscard]] std::size_t agreed(const Dfa& dfa) const;
  /// How many words have an answer.
  [[nodiscard]] std::size_t answered() const;
  /// The position of the shortlex-first word on which the DFA gives another answer.
  [[nodiscard]] std::optional<std::size_t> first_difference(const Dfa& dfa) const;
};

/// The last look at a word on which network and DFA are said to differ: one more run of the network
/// on this word alone, symbol by symbol, without a tree. None when they do not differ.
[[nodiscard]] std::optional<Counterexample> run_alone(const RnnAcceptor& acceptor, Word word,
                                                      const Dfa& dfa,
                                                      std::optional<Answer> empty_word);
/// Each of these words alone, with the acceptor of the tree; those that do not differ are left out.
[[nodiscard]] std::vector<Counterexample> run_alone(std::vector<Word> words, const Dfa& dfa,
                                                    const StateTree& tree);

enum class Margins : std::uint8_t { NotWanted, Wanted };

/// Asks the network about words in one go. None when the budget ended first.
[[nodiscard]] std::optional<AnsweredWords> answered(StateTree& tree, std::vector<Word> words,
                                                    const Budget& budget,
                                                    Margins margins = Margins::NotWanted);

}  // namespace rnnalf
