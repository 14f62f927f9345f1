#include "rnnalf/language_model/language_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf {
namespace {

/// How far from 1 the sum of all outputs may be; arithmetic of floats is closer.
constexpr double kOutputSumTolerance = 1e-3;

/// A PDFA whose answer is the most probable entry of a row.
class PdfaAcceptor final : public RnnAcceptor {
 public:
  explicit PdfaAcceptor(Pdfa pdfa) : pdfa_(std::move(pdfa)) {}

  [[nodiscard]] std::size_t state_size() const override { return 1; }
  [[nodiscard]] std::size_t symbol_count() const override { return pdfa_.symbol_count(); }
  [[nodiscard]] std::size_t answer_count() const override { return pdfa_.row_size(); }
  [[nodiscard]] std::vector<double> initial_state() const override {
    return {static_cast<double>(index(pdfa_.initial()))};
  }
  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    for (std::size_t i = 0; i < states.count; ++i) {
      next.data[i] = static_cast<double>(index(pdfa_.next(state(states, i), symbols[i])));
    }
  }
  void margins(ConstRStates states, std::span<double> margins) const override {
    for (double& margin : margins) margin = 1;
    static_cast<void>(states);
  }
  void judge(ConstRStates states, std::span<Judgement> judged) const override {
    for (std::size_t i = 0; i < states.count; ++i) {
      const auto row = pdfa_.row(state(states, i));
      std::size_t best = 0;
      for (std::size_t b = 1; b < row.size(); ++b) best = row[b] > row[best] ? b : best;
      judged[i] = {static_cast<Answer>(best), row[best]};
    }
  }
  void all_probabilities(ConstRStates states, std::span<double> probabilities) const override {
    for (std::size_t i = 0; i < states.count; ++i) {
      const auto row = pdfa_.row(state(states, i));
      std::copy(row.begin(), row.end(),
                probabilities.begin() + static_cast<std::ptrdiff_t>(i * row.size()));
    }
  }

 private:
  static LState state(ConstRStates states, std::size_t i) {
    return static_cast<LState>(static_cast<std::uint32_t>(states.data[i]));
  }

  Pdfa pdfa_;
};

std::size_t output_count(const Network& network) {
  return network.spec ? network.spec->output_count() : network.acceptor->answer_count();
}

void require_distribution(const LanguageModel& model) {
  const std::vector<double> initial = model.acceptor->initial_state();
  std::vector<double> outputs(model.acceptor->answer_count());
  model.acceptor->all_probabilities({initial.data(), initial.size(), 1}, outputs);
  const double sum = std::accumulate(outputs.begin(), outputs.end(), 0.0);
  if (std::abs(sum - 1) <= kOutputSumTolerance) return;
  throw NetworkFileError(
      model.summary.file,
      fmt::format(
          "language model: expected outputs that sum to 1, found the sum {:.6g} for the "
          "empty word. The head must end with a softmax, or with the scores in front of one",
          sum));
}

}  // namespace

LanguageModel as_language_model(const Network& network, const Tokens& tokens) {
  const Alphabet& own = network.summary.alphabet;
  const std::string& file = network.summary.file;
  const std::size_t outputs = output_count(network);
  Presentation presentation = present(tokens, own, file);
  if (presentation.end.size() > 1) {
    throw NetworkFileError(file, fmt::format("end: expected one symbol that ends the words of a "
                                             "language model, found {}",
                                             presentation.end.size()));
  }
  const bool has_end = !presentation.end.empty();
  const std::size_t wanted = own.size() + (has_end ? 0 : 1);
  if (outputs != wanted) {
    const std::string hint = !has_end && outputs == own.size()
                                 ? ". If one of the symbols ends every word, name it with `end`"
                             : outputs < 3 ? ". This looks like a network that accepts and rejects"
                                           : "";
    throw NetworkFileError(
        file, fmt::format("language model over {} symbols: expected {} outputs, one for each{}, "
                          "found {}{}",
                          own.size(), wanted,
                          has_end ? "" : " and the last for the end of the word", outputs, hint));
  }
  LanguageModel model{.summary = network.summary};
  for (const Symbol symbol : presentation.over) model.outputs.push_back(index(symbol));
  model.outputs.push_back(has_end ? index(presentation.end.front()) : own.size());
  model.summary.alphabet = presentation.alphabet;
  for (const Symbol symbol : presentation.begin) model.summary.begin.push_back(own.name(symbol));
  for (const Symbol symbol : presentation.end) model.summary.end.push_back(own.name(symbol));
  presentation.end.clear();
  model.acceptor = make_presented_acceptor(network.acceptor, std::move(presentation));
  require_distribution(model);
  return model;
}

LanguageModel as_language_model(const NamedPdfa& automaton) {
  LanguageModel model{.summary = {.file = "PDFA",
                                  .cell = "PDFA",
                                  .state_size = 1,
                                  .answers = automaton.pdfa.row_size(),
                                  .alphabet = automaton.alphabet},
                      .acceptor = std::make_shared<PdfaAcceptor>(automaton.pdfa)};
  model.outputs.resize(automaton.pdfa.row_size());
  std::iota(model.outputs.begin(), model.outputs.end(), std::size_t{0});
  return model;
}

void distributions(const LanguageModel& model, ConstRStates states, std::span<double> rows) {
  const std::size_t columns = model.acceptor->answer_count();
  std::vector<double> outputs(states.count * columns);
  model.acceptor->all_probabilities(states, outputs);
  for (std::size_t i = 0; i < states.count; ++i) {
    for (std::size_t b = 0; b < model.row_size(); ++b) {
      const double p = outputs[i * columns + model.outputs[b]];
      if (!(p >= 0 && p <= 1 + kOutputSumTolerance)) {
        throw NetworkFileError(model.summary.file,
                               fmt::format("language model: expected probabilities from 0 to 1, "
                                           "found {} for some word",
                                           p));
      }
      rows[i * model.row_size() + b] = p;
    }
  }
}

}  // namespace rnnalf
