#include "rnnalf/libalf/learners.hpp"

#include <array>

#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_rivest_schapire.h>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/libalf/observation_pack.hpp"
#include "rnnalf/libalf/ttt.hpp"

namespace rnnalf {
namespace {

struct Entry {
  LearnerInfo info;
  std::unique_ptr<Learner> (*make)(Knowledge*, int alphabet_size);
};

template <class Algorithm>
std::unique_ptr<Learner> make(Knowledge* knowledge, int alphabet_size) {
  return std::make_unique<Algorithm>(knowledge, nullptr, alphabet_size);
}

template <bool BinarySearch>
std::unique_ptr<Learner> make_kearns_vazirani(Knowledge* knowledge, int alphabet_size) {
  return std::make_unique<libalf::kearns_vazirani<bool>>(knowledge, nullptr, alphabet_size,
                                                         BinarySearch);
}

constexpr std::array entries{
    Entry{{"lstar", "Angluin's L*: prefixes of counterexamples become rows"},
          make<libalf::angluin_simple_table<bool>>},
    Entry{
        {"lstar-columns", "L* after Maler and Pnueli: suffixes of counterexamples become columns"},
        make<libalf::angluin_col_table<bool>>},
    Entry{{"rivest-schapire", "L* with one column per counterexample, found by binary search"},
          make<libalf::rivest_schapire_table<bool>>},
    Entry{{"kearns-vazirani", "classification tree; counterexamples analysed by binary search"},
          make_kearns_vazirani<true>},
    Entry{{"kearns-vazirani-linear",
           "classification tree; counterexamples analysed letter by letter"},
          make_kearns_vazirani<false>},
    Entry{{"nlstar", "NL*: a nondeterministic residual automaton, often smaller than the DFA"},
          make<libalf::NLstar_table<bool>>},
    Entry{
        {"ttt", "TTT: discrimination tree whose suffixes stay short, whatever the counterexamples"},
        make<Ttt>},
    Entry{
        {"observation-pack", "discrimination tree with the suffixes of counterexamples themselves"},
        make<ObservationPack>},
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

const Entry& entry_of(std::string_view name) {
  std::string known;
  for (const Entry& entry : entries) {
    if (entry.info.name == name) return entry;
    known += (known.empty() ? "" : ", ") + std::string(entry.info.name);
  }
  throw OptionError("learner: expected one of " + known + "; found '" + std::string(name) + "'");
}

}  // namespace

void require_learner(std::string_view name) {
  static_cast<void>(entry_of(name));
}

std::unique_ptr<Learner> make_learner(std::string_view name, Knowledge* knowledge,
                                      int alphabet_size) {
  return entry_of(name).make(knowledge, alphabet_size);
}

}  // namespace rnnalf
