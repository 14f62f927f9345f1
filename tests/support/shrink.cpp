#include "support/shrink.hpp"

#include <algorithm>
#include <sstream>

namespace rnnalf::support {
namespace {

/// Every list of numbers of a network, with a name.
template <class Spec, class Use>
void for_numbers(Spec& spec, Use use) {
  for (std::size_t i = 0; i < spec.step.step.size(); ++i) {
    auto& node = spec.step.step[i];
    const std::string at = "node " + std::to_string(i + 1) + " ";
    if (node.operation == StepOperation::Constant) continue;  // of a formula
    use(at + "weights", node.weights.values);
    use(at + "bias", node.values);
  }
  for (std::size_t i = 0; i < spec.step.states.size(); ++i) {
    use("initial state " + std::to_string(i + 1), spec.step.states[i].initial);
  }
  for (std::size_t d = 0; d < spec.head.size(); ++d) {
    const std::string at = "dense " + std::to_string(d + 1) + " ";
    use(at + "weights", spec.head[d].weights.values);
    use(at + "bias", spec.head[d].bias);
  }
}

/// The automaton without one state; what went there goes to the initial state.
Dfa without(const Dfa& dfa, std::size_t removed) {
  const std::size_t initial = index(dfa.initial());
  const auto renumbered = [&](std::size_t state) {
    const std::size_t target = state == removed ? initial : state;
    return static_cast<LState>(target > removed ? target - 1 : target);
  };
  Dfa result(dfa.symbol_count(), dfa.size() - 1, dfa.answer_count());
  result.set_initial(renumbered(initial));
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    if (q == removed) continue;
    const auto state = static_cast<LState>(q);
    result.set_answer(renumbered(q), dfa.answer(state));
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      result.set_next(renumbered(q), symbol, renumbered(index(dfa.next(state, symbol))));
    }
  }
  return result;
}

}  // namespace

bool smaller(const std::vector<Word>& words, const Offer<std::vector<Word>>& offer) {
  for (std::size_t size = words.size(); size > 0; size /= 2) {
    for (std::size_t first = 0; first + size <= words.size(); first += size) {
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(first);
      std::vector<Word> fewer(words.begin(), at);
      fewer.insert(fewer.end(), at + static_cast<std::ptrdiff_t>(size), words.end());
      if (offer(std::move(fewer))) return true;
    }
  }
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::size_t i = 0; i < words[w].size(); ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      std::vector<Word> shorter = words;
      shorter[w].erase(shorter[w].begin() + at);
      if (offer(std::move(shorter))) return true;
      if (words[w][i] == Symbol{0}) continue;
      std::vector<Word> lower = words;
      lower[w][i] = Symbol{0};
      if (offer(std::move(lower))) return true;
    }
  }
  return false;
}

bool smaller(const Dfa& dfa, const Offer<Dfa>& offer) {
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    if (q != index(dfa.initial()) && offer(without(dfa, q))) return true;
  }
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    if (dfa.answer(state) != Answer::Reject) {
      Dfa rejecting = dfa;
      rejecting.set_answer(state, Answer::Reject);
      if (offer(std::move(rejecting))) return true;
    }
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      const auto symbol = static_cast<Symbol>(a);
      if (dfa.next(state, symbol) == state) continue;
      Dfa looping = dfa;
      looping.set_next(state, symbol, state);
      if (offer(std::move(looping))) return true;
    }
  }
  return false;
}

bool smaller(const NetworkSpec& spec, const Offer<NetworkSpec>& offer) {
  std::vector<std::vector<std::size_t>> filled;  // of each list the places that are not zero
  for_numbers(spec, [&](const std::string&, const std::vector<double>& values) {
    filled.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) filled.back().push_back(i);
    }
  });
  // Whole lists, then halves, quarters and so on, down to single numbers.
  bool smallest = false;
  for (std::size_t pieces = 1; !smallest; pieces *= 2) {
    smallest = true;
    for (std::size_t list = 0; list < filled.size(); ++list) {
      const std::size_t part = filled[list].size() / pieces;
      if (part == 0) continue;
      smallest = smallest && part == 1;
      for (std::size_t first = 0; first < filled[list].size(); first += part) {
        NetworkSpec candidate = spec;
        std::size_t number = 0;
        for_numbers(candidate, [&](const std::string&, std::vector<double>& values) {
          if (number++ != list) return;
          for (std::size_t i = first; i < std::min(filled[list].size(), first + part); ++i) {
            values[filled[list][i]] = 0;
          }
        });
        if (offer(std::move(candidate))) return true;
      }
    }
  }
  return false;
}

bool smaller(const std::string& text, const Offer<std::string>& offer) {
  for (std::size_t size = text.size(); size > 0; size /= 2) {
    for (std::size_t first = 0; first < text.size(); first += size) {
      if (offer(text.substr(0, first) + text.substr(std::min(text.size(), first + size)))) {
        return true;
      }
    }
  }
  return false;
}

std::string shown(const std::vector<Word>& words) {
  std::ostringstream text;
  for (const Word& word : words) {
    text << "  \"";
    for (std::size_t i = 0; i < word.size(); ++i) text << (i > 0 ? " " : "") << index(word[i]);
    text << "\"\n";
  }
  return text.str();
}

std::string shown(const Dfa& dfa) {
  std::ostringstream text;
  for (std::size_t q = 0; q < dfa.size(); ++q) {
    const auto state = static_cast<LState>(q);
    text << "  " << (state == dfa.initial() ? ">" : " ") << q
         << (dfa.is_moore()       ? "/" + std::to_string(index(dfa.answer(state)))
             : dfa.accepts(state) ? "+"
                                  : " ");
    for (std::size_t a = 0; a < dfa.symbol_count(); ++a) {
      text << " " << index(dfa.next(state, static_cast<Symbol>(a)));
    }
    text << "\n";
  }
  return text.str();
}

std::string shown(const NetworkSpec& spec) {
  std::ostringstream text;
  text << "  " << spec.symbol_count() << " symbols, states of size";
  for (const StepState& state : spec.step.states) text << " " << state.size;
  text << "; all numbers 0 but\n";
  constexpr std::size_t kMostShown = 200;
  std::size_t count = 0;
  for_numbers(spec, [&](const std::string& what, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0 || ++count > kMostShown) continue;
      text << "  " << what << " [" << i << "] = " << values[i] << "\n";
    }
  });
  if (count > kMostShown) text << "  and " << count - kMostShown << " more\n";
  return text.str();
}

std::string shown(const std::string& text) {
  return "  " + text + "\n";
}

}  // namespace rnnalf::support
