// Serialised knowledgebases, learners, automata and normalizers: any sequence of integers is read
// or refused; what was read is written as it was read; and a learner that was read goes on
// learning.

#include <libalf/alf.h>
#include <libalf/algorithm_NLstar.h>
#include <libalf/algorithm_RPNI.h>
#include <libalf/algorithm_angluin.h>
#include <libalf/algorithm_biermann_original.h>
#include <libalf/algorithm_counterexample_learning.h>
#include <libalf/algorithm_dfa_inferring_minisat.h>
#include <libalf/algorithm_kearns_vazirani.h>
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

void read_knowledge(const serial& data) {
  libalf::knowledgebase<bool> knowledge;
  if (!read(knowledge, data)) {
    require(knowledge.is_empty() && knowledge.count_nodes() == 1);
    return;
  }
  require(static_cast<int>(knowledge.get_queries().size()) == knowledge.count_queries());
  knowledge.undo(1);
  while (!knowledge.is_answered()) knowledge.qbegin()->set_answer(true);
}

/// Reads a learner and lets it learn the words of even length for some rounds.
template <class Learner>
void go_on(Learner&& learner, libalf::knowledgebase<bool>& knowledge, const serial& data) {
  if (!read(learner, data) || learner.get_alphabet_size() > 16) return;
  for (int round = 0; round < 8; ++round) {
    const std::unique_ptr<libalf::conjecture> conjecture(learner.advance());
    if (conjecture) learner.add_counterexample({0, 0, 0});
    for (int answers = 0; answers < 1000 && !knowledge.is_answered(); ++answers) {
      auto query = knowledge.qbegin();
      query->set_answer(query->get_word().size() % 2 == 0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  serial values((size - 1) / sizeof(std::int32_t), 0);
  if (!values.empty()) std::memcpy(values.data(), data + 1, values.size() * sizeof(std::int32_t));
  libalf::knowledgebase<bool> base;
  libalf::dfa_inferring_MiniSat inferring(&base, nullptr, 2);
  switch (data[0] % 16) {
    case 0:
      read_knowledge(values);
      break;
    case 1:
      read_new<libalf::knowledgebase<libalf::extended_bool>>(values);
      break;
    case 2:
      read_new<libalf::finite_automaton>(values);
      break;
    case 3:
      read_new<libalf::moore_machine<int>>(values);
      break;
    case 4:
      read_new<libalf::mealy_machine<int>>(values);
      break;
    case 5:
      read_new<libalf::simple_mVCA>(values);
      break;
    case 6:
      read_new<libalf::bounded_simple_mVCA>(values);
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
    default:
      read(inferring, values);
  }
  return 0;
}
