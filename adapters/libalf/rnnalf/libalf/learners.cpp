#include "rnnalf/libalf/learners.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_rivest_schapire.h>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/suggestion.hpp"
#include "rnnalf/libalf/lsharp.hpp"
#include "rnnalf/libalf/observation_pack.hpp"
#include "rnnalf/libalf/ttt.hpp"

namespace rnnalf {
namespace {

using DfaLearner = libalf::learning_algorithm<bool>;
using MooreLearner = libalf::learning_algorithm<int>;

struct Entry {
  LearnerInfo info;
  std::unique_ptr<DfaLearner> (*make)(Knowledge*, int alphabet_size);
  std::unique_ptr<MooreLearner> (*make_moore)(MooreKnowledge*, int alphabet_size) = nullptr;
};

template <class Algorithm>
std::unique_ptr<DfaLearner> make(Knowledge* knowledge, int alphabet_size) {
  return std::make_unique<Algorithm>(knowledge, nullptr, alphabet_size);
}

template <class Algorithm>
std::unique_ptr<MooreLearner> make_moore(MooreKnowledge* knowledge, int alphabet_size) {
  return std::make_unique<Algorithm>(knowledge, nullptr, alphabet_size);
}

template <bool BinarySearch>
std::unique_ptr<DfaLearner> make_kearns_vazirani(Knowledge* knowledge, int alphabet_size) {
  return std::make_unique<libalf::kearns_vazirani<bool>>(knowledge, nullptr, alphabet_size,
                                                         BinarySearch);
}

// A classification tree with two branches and residual automata are for two answers alone.
constexpr std::array entries{
    Entry{{"lstar", "Angluin's L*: prefixes of counterexamples become rows", true},
          make<libalf::angluin_simple_table<bool>>,
          make_moore<libalf::angluin_simple_table<int>>},
    Entry{{"lstar-columns", "L* after Maler and Pnueli: suffixes of counterexamples become columns",
           true},
          make<libalf::angluin_col_table<bool>>,
          make_moore<libalf::angluin_col_table<int>>},
    Entry{
        {"rivest-schapire", "L* with one column per counterexample, found by binary search", true},
        make<libalf::rivest_schapire_table<bool>>,
        make_moore<libalf::rivest_schapire_table<int>>},
    Entry{{"kearns-vazirani", "classification tree; counterexamples analysed by binary search"},
          make_kearns_vazirani<true>},
    Entry{{"kearns-vazirani-linear",
           "classification tree; counterexamples analysed letter by letter"},
          make_kearns_vazirani<false>},
    Entry{{"nlstar", "NL*: a nondeterministic residual automaton, often smaller than the DFA"},
          make<libalf::NLstar_table<bool>>},
    Entry{
        {"ttt", "TTT: discrimination tree whose suffixes stay short, whatever the counterexamples",
         true},
        make<TttLearner<bool>>,
        make_moore<TttLearner<int>>},
    Entry{{"observation-pack",
           "discrimination tree with the suffixes of counterexamples themselves", true},
          make<ObservationPackLearner<bool>>,
          make_moore<ObservationPackLearner<int>>},
    Entry{{"lsharp", "L#: an observation tree whose states are pairwise apart", true},
          make<LSharpLearner<bool>>,
          make_moore<LSharpLearner<int>>},
};

constexpr auto infos = [] {
  std::array<LearnerInfo, entries.size()> all{};
  for (std::size_t i = 0; i < entries.size(); ++i) all[i] = entries[i].info;
  return all;
}();

}  // namespace

std::span<const LearnerInfo> learners() {
  return infos;
}

namespace {

const Entry& entry_of(std::string_view name, std::size_t answers) {
  std::vector<std::string_view> known;
  for (const Entry& entry : entries) {
    const bool fits = answers == 2 || entry.info.moore;
    if (fits && entry.info.name == name) return entry;
    if (fits) known.push_back(entry.info.name);
  }
  const std::string several =
      answers == 2 ? "" : fmt::format(" for the {} classes of this network", answers);
  throw OptionError(fmt::format("learner: expected one of {}{}, found '{}'{}",
                                fmt::join(known, ", "), several, name,
                                suggestion("", name, known)));
}

}  // namespace

void require_learner(std::string_view name, std::size_t answers) {
  static_cast<void>(entry_of(name, answers));
}

std::unique_ptr<DfaLearner> make_learner(std::string_view name, Knowledge* knowledge,
                                         int alphabet_size) {
  return entry_of(name, 2).make(knowledge, alphabet_size);
}

std::unique_ptr<MooreLearner> make_moore_learner(std::string_view name, MooreKnowledge* knowledge,
                                                 int alphabet_size) {
  constexpr std::size_t more_than_two = 3;
  return entry_of(name, more_than_two).make_moore(knowledge, alphabet_size);
}

}  // namespace rnnalf
