#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rnnalf/acceptor/head.hpp"
#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/network/spec.hpp"

namespace rnnalf {

/// What the acceptors of a NetworkSpec share: sizes, and answers that a head reads from R-states.
///
/// Derived has outputs(states, use), which calls use(i, scores, count) with the head's outputs for
/// every column. Immutable once Derived has filled initial_.
template <class T, class Derived>
class HeadedAcceptor : public RnnAcceptor {
 public:
  [[nodiscard]] std::size_t state_size() const final { return state_size_; }
  [[nodiscard]] std::size_t symbol_count() const final { return symbols_; }
  [[nodiscard]] std::size_t answer_count() const final { return head_.answer_count(); }
  [[nodiscard]] Precision precision() const final {
    return sizeof(T) == sizeof(float) ? Precision::Float : Precision::Double;
  }
  [[nodiscard]] std::vector<double> initial_state() const final { return initial_; }

  void margins(ConstRStates states, std::span<double> margins) const final {
    derived().outputs(states, [&](std::size_t i, const T* scores, std::size_t count) {
      margins[i] = head_.judge(scores, count).margin;
    });
  }

  void judge(ConstRStates states, std::span<Judgement> judged) const final {
    derived().outputs(states, [&](std::size_t i, const T* scores, std::size_t count) {
      judged[i] = head_.judge(scores, count);
    });
  }

  void probabilities(ConstRStates states, std::span<double> probabilities) const final {
    derived().outputs(states, [&](std::size_t i, const T* scores, std::size_t count) {
      probabilities[i] = head_.probability(scores, count);
    });
  }

  void all_probabilities(ConstRStates states, std::span<double> probabilities) const final {
    derived().outputs(states, [&](std::size_t i, const T* scores, std::size_t count) {
      for (std::size_t a = 0; a < answer_count(); ++a) {
        probabilities[i * answer_count() + a] = head_.probability_of(scores, count, a);
      }
    });
  }

 protected:
  HeadedAcceptor(const NetworkSpec& spec, std::size_t symbols, std::size_t state_size)
      : symbols_(symbols), state_size_(state_size), head_(spec) {}

  std::size_t symbols_;
  std::size_t state_size_;
  Head<T> head_;
  std::vector<double> initial_;

 private:
  [[nodiscard]] const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

}  // namespace rnnalf
