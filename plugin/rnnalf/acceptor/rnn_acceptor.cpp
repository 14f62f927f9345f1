#include "rnnalf/acceptor/rnn_acceptor.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "rnnalf/acceptor/kernels.hpp"

namespace rnnalf {
namespace {

/// Without a branch in the loop, so that it is done in vectors: every R-state is looked at.
template <class T>
bool all_finite(const T* values, std::size_t count) noexcept {
  unsigned beyond = 0;
  for (std::size_t i = 0; i < count; ++i) {
    beyond |= static_cast<unsigned>(!(std::abs(values[i]) <= std::numeric_limits<T>::max()));
  }
  return beyond == 0;
}

}  // namespace

bool RnnAcceptor::is_finite(const std::byte* kept) const noexcept {
  return precision() == Precision::Float
             ? all_finite(reinterpret_cast<const float*>(kept), state_size())
             : all_finite(reinterpret_cast<const double*>(kept), state_size());
}

Answer answer_in(std::span<const double> state, const Judgement& judgement) noexcept {
  const bool says_something =
      !std::isnan(judgement.margin) && all_finite(state.data(), state.size());
  return says_something ? judgement.answer : Answer::None;
}

void RnnAcceptor::follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
                         std::byte* next, std::span<Judgement> judged) const {
  const std::size_t size = state_size();
  const std::size_t bytes = kept_bytes();
  std::vector<double> from(origins.size() * size), to(origins.size() * size);
  for (std::size_t i = 0; i < origins.size(); ++i) restore(origins[i], from.data() + i * size);
  const RStates reached{to.data(), size, origins.size()};
  step({from.data(), size, origins.size()}, symbols, reached);
  if (!judged.empty()) judge(reached, judged);
  for (std::size_t i = 0; i < origins.size(); ++i) keep(to.data() + i * size, next + i * bytes);
}

std::size_t RnnAcceptor::kept_bytes() const {
  return state_size() * (precision() == Precision::Float ? sizeof(float) : sizeof(double));
}

void RnnAcceptor::keep(const double* state, std::byte* kept) const {
  if (precision() == Precision::Float) {
    kernels::best<float>().from_double(state, state_size(), reinterpret_cast<float*>(kept));
  } else {
    std::memcpy(kept, state, kept_bytes());
  }
}

void RnnAcceptor::restore(const std::byte* kept, double* state) const {
  if (precision() == Precision::Float) {
    kernels::best<float>().to_double(reinterpret_cast<const float*>(kept), state_size(), state);
  } else {
    std::memcpy(state, kept, kept_bytes());
  }
}

void RnnAcceptor::judge(ConstRStates states, std::span<Judgement> judged) const {
  std::vector<double> values(states.count);
  margins(states, values);
  for (std::size_t i = 0; i < values.size(); ++i) judged[i] = {accept_if(values[i] > 0), values[i]};
}

void RnnAcceptor::all_probabilities(ConstRStates states, std::span<double> probabilities) const {
  std::vector<double> accept(states.count);
  this->probabilities(states, accept);
  for (std::size_t i = 0; i < accept.size(); ++i) {
    probabilities[2 * i] = 1 - accept[i];
    probabilities[2 * i + 1] = accept[i];
  }
}

void RnnAcceptor::probabilities(ConstRStates states, std::span<double> probabilities) const {
  margins(states, probabilities);
  for (double& value : probabilities) value = 1 / (1 + std::exp(-value));
}

}  // namespace rnnalf
