// Serialised knowledgebases, learners, automata, statistics and normalizers: any sequence of
// integers is read or refused; what was read is written as it was read, and has its other forms; a
// learner that was read goes on learning, takes commands, and learners from samples learn from a
// knowledgebase that was read.

#include <libalf/alf.h>
#include <libalf/algorithm_DeLeTe2.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_angluin_inexperienced_teacher.h>
#include <libalf/algorithm_biermann_minisat.h>
#include <libalf/algorithm_biermann_original.h>
#include <libalf/algorithm_counterexample_learning.h>
#include <libalf/algorithm_dfa_inferring_minisat.h>
#include <libalf/algorithm_kearns_vazirani.h>
#include <libalf/algorithm_nfa_inferring_minisat.h>
#include <libalf/algorithm_rivest_schapire.h>
#include <libalf/normalizer_msc.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

using serial = std::basic_string<std::int32_t>;

void require(bool holds) {
  if (!holds) std::abort();
}

/// True if it was read; then writing and reading it again gives the same.
template <class T>
bool read(T& into, const serial& data) {
  serial_stretch stretch(data);
  if (!into.deserialize(stretch)) return false;
  const serial written = into.serialize();
  serial_stretch again(written);
  require(into.deserialize(again) && again.empty());
  require(into.serialize() == written);
  return true;
}

template <class T>
void read_new(const serial& data) {
  T value;
  read(value, data);
}

/// An automaton has text and Graphviz, and says of itself what is so.
template <class Machine>
void read_machine(const serial& data) {
  Machine machine;
  if (!read(machine, data)) {
    require(!machine.is_valid());
    return;
  }
  if (machine.state_count > 1000) return;
  const bool claims = machine.is_deterministic;
  require(machine.calc_validity() && (!claims || machine.calc_determinism()));
  static_cast<void>(machine.visualize());
  static_cast<void>(machine.write());
}

/// As a text as well: what is written is read again.
void read_automaton(const serial& data) {
  libalf::finite_automaton automaton;
  if (!read(automaton, data) || automaton.state_count > 1000) return;
  libalf::finite_automaton again;
  require(again.read(automaton.write()) && again.serialize() == automaton.serialize());
  static_cast<void>(automaton.contains({0, 1, 0}));
  read_machine<libalf::finite_automaton>(data);
}

void read_statistics(const serial& data) {
  libalf::statistic_data value;
  if (read(value, data)) {
    libalf::generic_statistics statistics;
    statistics["value"] = value;
    static_cast<void>(statistics.to_string());
  }
  libalf::generic_statistics all;  // a map of them
  serial_stretch stretch(data);
  if (libalf::detail::deserialize_value(
          static_cast<std::map<std::string, libalf::statistic_data>&>(all), stretch)) {
    static_cast<void>(all.to_string());
  }
}

/// Whatever the sample is: an automaton comes out. Inference takes long for large samples, and its
/// machines have a transition for every letter.
void learn_from(libalf::knowledgebase<bool>& sample) {
  const auto learn = [](auto&& learner) {
    const std::unique_ptr<libalf::conjecture> found(learner.advance());
    require(found != nullptr && found->is_valid());
  };
  if (sample.count_nodes() > 200) return;
  learn(libalf::RPNI<bool>(&sample, nullptr, 2));
  learn(libalf::DeLeTe2<bool>(&sample, nullptr, 2));
  learn(libalf::original_biermann<bool>(&sample, nullptr, 2, 2));
  if (sample.count_nodes() > 12) return;
  learn(libalf::MiniSat_biermann<bool>(&sample, nullptr, 2));
  if (sample.get_largest_symbol() > 16) return;
  learn(libalf::dfa_inferring_MiniSat(&sample, nullptr, 2));
  learn(libalf::nfa_inferring_MiniSat(&sample, nullptr, 2));
}

void read_knowledge(const serial& data) {
  libalf::knowledgebase<bool> knowledge;
  if (!read(knowledge, data)) {
    require(knowledge.is_empty() && knowledge.count_nodes() == 1);
    return;
  }
  require(static_cast<int>(knowledge.get_queries().size()) == knowledge.count_queries());
  learn_from(knowledge);
  if (knowledge.count_nodes() < 1000) {
    static_cast<void>(knowledge.visualize());
    static_cast<void>(knowledge.to_string());
  }
  knowledge.undo(1);
  while (!knowledge.is_answered()) knowledge.qbegin()->set_answer(true);
}

/// Gives a learner the integers as commands, one after the other.
template <class Learner>
void command(Learner& learner, const serial& data) {
  serial_stretch stretch(data);
  serial result;
  while (!stretch.empty()) {
    const auto before = stretch.current;
    static_cast<void>(learner.deserialize_magic(stretch, result));
    if (stretch.current == before) return;
  }
}

/// Reads a learner and lets it learn the words of even length for some rounds.
template <class Learner, class Knowledge>
void go_on(Learner&& learner, Knowledge& knowledge, const serial& data) {
  command(learner, data);
  static_cast<void>(learner.get_statistics().to_string());
  if (!read(learner, data) || learner.get_alphabet_size() > 16) return;
  static_cast<void>(learner.to_string());
  for (int round = 0; round < 8; ++round) {
    const std::unique_ptr<libalf::conjecture> conjecture(learner.advance());
    if (conjecture) learner.add_counterexample({0, 0, 0});
    for (int answers = 0; answers < 1000 && !knowledge.is_answered(); ++answers) {
      auto query = knowledge.qbegin();
      query->set_answer(query->get_word().size() % 2 == 0);
    }
  }
  static_cast<void>(learner.get_statistics().to_string());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  serial values((size - 1) / sizeof(std::int32_t), 0);
  if (!values.empty()) std::memcpy(values.data(), data + 1, values.size() * sizeof(std::int32_t));
  libalf::knowledgebase<bool> base;
  libalf::dfa_inferring_MiniSat inferring(&base, nullptr, 2);
  libalf::knowledgebase<libalf::weak_bool> weak;
  switch (data[0] % 19) {
    case 0:
      read_knowledge(values);
      break;
    case 1:
      read_new<libalf::knowledgebase<libalf::extended_bool>>(values);
      break;
    case 2:
      read_automaton(values);
      break;
    case 3:
      read_machine<libalf::moore_machine<int>>(values);
      break;
    case 7:
      read_new<libalf::normalizer_msc>(values);
      break;
    case 8:
      go_on(libalf::angluin_simple_table<bool>(&base, nullptr, 2), base, values);
      break;
    case 9:
      go_on(libalf::angluin_col_table<bool>(&base, nullptr, 2), base, values);
      break;
    case 10:
      go_on(libalf::rivest_schapire_table<bool>(&base, nullptr, 2), base, values);
      break;
    case 11:
      go_on(libalf::kearns_vazirani<bool>(&base, nullptr, 2), base, values);
      break;
    case 12:
      go_on(libalf::NLstar_table<bool>(&base, nullptr, 2), base, values);
      break;
    case 13:
      go_on(libalf::original_biermann<bool>(&base, nullptr, 2, 2), base, values);
      break;
    case 14:
      go_on(libalf::counterexample_learning(&base, nullptr, 2, &inferring), base, values);
      break;
    case 15:
      command(inferring, values);
      read(inferring, values);
      break;
    case 16:
      read_statistics(values);
      break;
    default:
      go_on(libalf::angluin_inexperienced_teacher(&weak, nullptr, 2, &inferring), weak, values);
  }
  return 0;
}
