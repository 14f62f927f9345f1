#pragma once

#include <cstdint>
#include <ctime>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <libalf/conjecture.h>
#include <libalf/detail/delivered_machine.h>
#include <libalf/knowledgebase.h>
#include <libalf/logger.h>
#include <libalf/normalizer.h>
#include <libalf/serialize.h>
#include <libalf/statistics.h>

namespace libalf {

enum learning_algorithm_type {
  ALG_NONE = 0,
  ALG_ANGLUIN = 1,
  ALG_ANGLUIN_COLUMN = 2,
  ALG_RIVEST_SCHAPIRE = 3,
  ALG_NL_STAR = 4,
  ALG_MVCA_ANGLUINLIKE = 5,
  ALG_BIERMANN = 6,
  ALG_RPNI = 7,
  ALG_DELETE2 = 8,
  ALG_BIERMANN_ORIGINAL = 9,
  ALG_KEARNS_VAZIRANI = 10,
  ALG_CEGAR = 11,
  ALG_CEGAR_ANGLUIN = 12,
  ALG_INFERRING_MINISAT = 13,
  ALG_INFERRING_Z3 = 14,
  ALG_INFERRING_CSP_MINISAT = 15,
  ALG_INFERRING_CSP_Z3 = 16,
  ALG_INFERRING_DFA_MINISAT = 17,
  ALG_INFERRING_DFA_Z3 = 18,
  ALG_INFERRING_NFA_MINISAT = 19,
  ALG_COUNTEREXAMPLE_LEARNING = 20,
  ALG_LAST_INVALID = 21,
};

const char* learning_algorithm_name(learning_algorithm_type type);

namespace detail {

/// What the serialised form of a learner with data begins with, after its length. Not upstream's
/// type: the data is not upstream's either, and each refuses the other's.
constexpr std::int32_t learner_tag(learning_algorithm_type type) {
  return 0x52414c00 + static_cast<std::int32_t>(type);
}

}  // namespace detail

/// A learner: asks for words by marking them in its knowledgebase, and proposes conjectures.
///
///     while (conjecture is wanted) {
///       conjecture* c = learner.advance();
///       if (!c) { answer the pending queries of the knowledgebase; continue; }
///       if (c is right) done;
///       learner.add_counterexample(a word on which it is wrong);
///       delete c;
///     }
///
/// Knowledgebase, logger and normalizer are not owned and must outlive their use.
template <class answer>
class learning_algorithm {
 public:
  virtual ~learning_algorithm() = default;

  virtual learning_algorithm_type get_type() const = 0;
  virtual learning_algorithm_type get_basic_compatible_type() const = 0;
  virtual const char* get_name() { return learning_algorithm_name(get_type()); }

  /// Before the first advance(); afterwards use increase_alphabet_size.
  virtual void set_alphabet_size(int size) { alphabet_size = size; }
  virtual int get_alphabet_size() const { return alphabet_size; }
  virtual void increase_alphabet_size(int new_size) = 0;

  /// NULL: silent.
  virtual void set_logger(logger* wanted) { my_logger = wanted ? wanted : &ignore; }
  virtual logger* get_logger() { return my_logger == &ignore ? nullptr : my_logger; }

  virtual void set_knowledge_source(knowledgebase<answer>* base) { my_knowledge = base; }
  virtual knowledgebase<answer>* get_knowledge_source() { return my_knowledge; }

  virtual void set_normalizer(normalizer* wanted) {
    norm = wanted;
    if (norm) (*my_logger)(LOGGER_WARN, "%s: normalizers are not applied\n", get_name());
  }
  virtual normalizer* get_normalizer() { return norm; }
  virtual void unset_normalizer() { norm = nullptr; }

  /// Sizes, and with timing enabled the processor seconds spent in advance(); copy it to index it.
  virtual const generic_statistics& get_statistics() {
    statistics["time.user"] = seconds;
    statistics["time.system"] = 0.0;
    generate_statistics();
    return statistics;
  }
  virtual void generate_statistics() {}
  virtual void enable_timing() { do_timing = true; }
  virtual void disable_timing() { do_timing = false; }
  virtual void reset_timing() { seconds = 0; }

  /// Takes back what the learner holds of answers that the knowledgebase no longer has (after
  /// undo).
  virtual bool sync_to_knowledgebase() = 0;
  virtual bool supports_sync() const = 0;

  /// Length of the rest, tag or type, data. Answers stay in the knowledgebase: serialise that too.
  virtual std::basic_string<std::int32_t> serialize() const = 0;
  /// False on a malformed stretch or one of another learner; the learner is then as new.
  virtual bool deserialize(serial_stretch& serial) = 0;

  /// Commands that a learner alone understands; false if it does not.
  virtual bool deserialize_magic(serial_stretch&, std::basic_string<std::int32_t>& result) {
    (*my_logger)(LOGGER_WARN, "%s: takes no commands\n", get_name());
    result.clear();
    return false;
  }

  virtual void print(std::ostream& os) const = 0;
  virtual std::string to_string() const {
    std::ostringstream text;
    print(text);
    return text.str();
  }

  /// advance() would deliver a conjecture without asking anything.
  virtual bool conjecture_ready() = 0;

  /// A conjecture, owned by the caller, or NULL: then queries are pending. Without new answers or a
  /// counterexample in between, a second call gives the same.
  virtual conjecture* advance() {
    if (!my_knowledge) {
      (*my_logger)(LOGGER_ERROR, "%s: advance() without a knowledgebase\n", get_name());
      return nullptr;
    }
    const std::clock_t start = do_timing ? std::clock() : 0;
    conjecture* result = complete() ? derive_conjecture() : nullptr;
    if (do_timing) seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return result;
  }

  /// A word on which the last conjecture was wrong. False if the word is of no use: then nothing
  /// changed.
  virtual bool add_counterexample(std::list<int> word) = 0;

 protected:
  /// Asks for what is missing; true if nothing is.
  virtual bool complete() = 0;
  virtual conjecture* derive_conjecture() = 0;

  ignore_logger ignore;
  logger* my_logger = &ignore;
  knowledgebase<answer>* my_knowledge = nullptr;
  normalizer* norm = nullptr;
  int alphabet_size = 0;
  generic_statistics statistics;
  /// For detail::make_machine. Not in upstream libalf.
  std::shared_ptr<detail::spare_maps<answer>> spare =
      std::make_shared<detail::spare_maps<answer>>();

 private:
  bool do_timing = false;
  double seconds = 0;
};

}  // namespace libalf

/// Prints the learner's data structure.
template <class answer>
std::ostream& operator<<(std::ostream& out, const libalf::learning_algorithm<answer>& learner) {
  learner.print(out);
  return out;
}
