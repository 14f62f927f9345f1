#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rnnalf/base/ids.hpp"

namespace rnnalf {

struct NetworkSpec;

/// A block of R-states, one per column: column i is data[i*size .. i*size+size).
struct ConstRStates {
  const double* data = nullptr;
  std::size_t size = 0;   ///< length of one R-state
  std::size_t count = 0;  ///< number of columns

  [[nodiscard]] std::span<const double> col(std::size_t i) const { return {data + i * size, size}; }
};

struct RStates {
  double* data = nullptr;
  std::size_t size = 0;
  std::size_t count = 0;

  [[nodiscard]] std::span<double> col(std::size_t i) const { return {data + i * size, size}; }
  operator ConstRStates() const { return {data, size, count}; }  // NOLINT: a view of a view
};

enum class Precision : std::uint8_t { Float, Double };

/// What a network says in an R-state, and how clearly.
struct Judgement {
  Answer answer = Answer::Reject;
  /// Not a number: the network says nothing, whatever `answer` is. Of two answers, above 0 iff
  /// accepted; for one logit or two classes, the log odds of accept. Of more answers, by how much
  /// the score of this one exceeds that of the next: never below 0.
  double margin = 0;
};

/// The network read as a deterministic automaton whose states are real vectors (R-states).
///
/// Every result for column i is a function of column i (and symbols[i]) alone, bit for bit,
/// whatever the batch. Immutable after construction; every member may be called from several
/// threads at once.
class RnnAcceptor {
 public:
  virtual ~RnnAcceptor() = default;

  [[nodiscard]] virtual std::size_t state_size() const = 0;
  [[nodiscard]] virtual std::size_t symbol_count() const = 0;
  /// 2: it accepts and rejects. More: it tells classes apart.
  [[nodiscard]] virtual std::size_t answer_count() const { return 2; }

  /// Float promises that every number of every R-state is a float, so that states can be stored
  /// in half the space without changing an answer.
  [[nodiscard]] virtual Precision precision() const { return Precision::Double; }

  /// Steps of the network that the answer in the R-state of a word takes: 0, unless words end with
  /// symbols of their own, or are read from their start for every answer.
  [[nodiscard]] virtual std::size_t steps_per_answer(std::size_t /*length*/) const { return 0; }

  /// Whether an R-state is only the word itself, from whose start every answer is computed. Oracles
  /// that compare R-states have no use for it.
  [[nodiscard]] virtual bool reads_whole_words() const { return false; }

  /// Answers in fewer R-states than these are worth putting off, to be asked for together with
  /// others: where the network is called from outside, every call is expensive. 0: none is.
  [[nodiscard]] virtual std::size_t columns_worth_a_call() const { return 0; }

  /// R-state of the empty word.
  [[nodiscard]] virtual std::vector<double> initial_state() const = 0;

  /// One transition per column: reads symbols[i] in states.col(i), writes next.col(i).
  virtual void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const = 0;

  /// As `step`, with the same bits, on R-states as they are kept (see `keep`): column i starts in
  /// origins[i] and is written to next + i * kept_bytes(). Neighbours with the same origin share
  /// work where the acceptor can: the successors of one R-state are cheaper than as many steps.
  /// `judged` is empty or gets one for every column. The default calls `step` and `judge`.
  virtual void follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
                      std::byte* next, std::span<Judgement> judged) const;

  /// R-states are kept as precision() says, in floats or doubles; none of their bits is lost.
  [[nodiscard]] std::size_t kept_bytes() const;
  void keep(const double* state, std::byte* kept) const;
  void restore(const std::byte* kept, double* state) const;
  /// Whether all numbers of an R-state are finite.
  [[nodiscard]] bool is_finite(const std::byte* kept) const noexcept;

  /// The margin of the judgement in states.col(i).
  virtual void margins(ConstRStates states, std::span<double> margins) const = 0;

  /// The answer in states.col(i) with its margin. The default is for two answers: the margins'
  /// sign.
  virtual void judge(ConstRStates states, std::span<Judgement> judged) const;

  /// probabilities[i]: of accept, in states.col(i); of more than two answers, that of the one
  /// given. The default is the sigmoid of the margin.
  virtual void probabilities(ConstRStates states, std::span<double> probabilities) const;

  /// probabilities[i * answer_count() + a]: of answer a, in states.col(i). The default is for two
  /// answers.
  virtual void all_probabilities(ConstRStates states, std::span<double> probabilities) const;
};

/// The answer of a judgement in an R-state; None where numbers of either are not finite.
[[nodiscard]] Answer answer_in(std::span<const double> state, const Judgement& judgement) noexcept;

/// Builds the acceptor of a network: validates the spec, folds an embedding into the input weights,
/// runs the probes and throws NetworkFileError when one is off by more than 1e-4.
[[nodiscard]] std::unique_ptr<RnnAcceptor> make_acceptor(const NetworkSpec& spec,
                                                         Precision precision = Precision::Float);

}  // namespace rnnalf
