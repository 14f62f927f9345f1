#include "rnnalf/acceptor/presented_acceptor.hpp"

#include <utility>

namespace rnnalf {
namespace {

class PresentedAcceptor final : public RnnAcceptor {
 public:
  PresentedAcceptor(std::shared_ptr<const RnnAcceptor> network, Presentation presentation)
      : network_(std::move(network)),
        presentation_(std::move(presentation)),
        initial_(network_->initial_state()) {
    std::vector<double> next(initial_.size());
    for (const Symbol symbol : presentation_.begin) {
      network_->step({initial_.data(), initial_.size(), 1}, {&symbol, 1},
                     {next.data(), next.size(), 1});
      initial_.swap(next);
    }
  }

  [[nodiscard]] std::size_t state_size() const override { return network_->state_size(); }
  [[nodiscard]] std::size_t symbol_count() const override { return presentation_.over.size(); }
  [[nodiscard]] std::size_t answer_count() const override { return network_->answer_count(); }
  [[nodiscard]] Precision precision() const override { return network_->precision(); }
  [[nodiscard]] std::size_t steps_per_answer(std::size_t length) const override {
    const std::size_t end = presentation_.end.size();
    return end + network_->steps_per_answer(presentation_.begin.size() + length + end);
  }
  [[nodiscard]] bool reads_whole_words() const override { return network_->reads_whole_words(); }
  [[nodiscard]] std::size_t columns_worth_a_call() const override {
    return network_->columns_worth_a_call();
  }
  [[nodiscard]] std::vector<double> initial_state() const override { return initial_; }

  void step(ConstRStates states, std::span<const Symbol> symbols, RStates next) const override {
    network_->step(states, own_symbols(symbols), next);
  }

  void follow(std::span<const std::byte* const> origins, std::span<const Symbol> symbols,
              std::byte* next, std::span<Judgement> judged) const override {
    const bool ends_here = presentation_.end.empty();
    network_->follow(origins, own_symbols(symbols), next,
                     ends_here ? judged : std::span<Judgement>());
    if (ends_here || judged.empty()) return;

    const std::size_t bytes = network_->kept_bytes();
    thread_local std::vector<const std::byte*> from;
    thread_local std::vector<std::byte> reached, before;
    const std::byte* at = next;
    for (std::size_t i = 0; i < presentation_.end.size(); ++i) {
      from.resize(origins.size());
      for (std::size_t j = 0; j < from.size(); ++j) from[j] = at + j * bytes;
      reached.swap(before);
      reached.resize(origins.size() * bytes);
      const bool last = i + 1 == presentation_.end.size();
      network_->follow(from, std::vector<Symbol>(from.size(), presentation_.end[i]), reached.data(),
                       last ? judged : std::span<Judgement>());
      at = reached.data();
    }
  }

  void margins(ConstRStates states, std::span<double> margins) const override {
    const std::vector<double> ended = after_end(states);
    network_->margins({ended.data(), states.size, states.count}, margins);
  }

  void judge(ConstRStates states, std::span<Judgement> judged) const override {
    const std::vector<double> ended = after_end(states);
    network_->judge({ended.data(), states.size, states.count}, judged);
  }

  void all_probabilities(ConstRStates states, std::span<double> probabilities) const override {
    const std::vector<double> ended = after_end(states);
    network_->all_probabilities({ended.data(), states.size, states.count}, probabilities);
  }

  void probabilities(ConstRStates states, std::span<double> probabilities) const override {
    const std::vector<double> ended = after_end(states);
    network_->probabilities({ended.data(), states.size, states.count}, probabilities);
  }

 private:
  [[nodiscard]] std::vector<Symbol> own_symbols(std::span<const Symbol> symbols) const {
    std::vector<Symbol> own;
    own.reserve(symbols.size());
    for (const Symbol symbol : symbols) own.push_back(presentation_.over[index(symbol)]);
    return own;
  }

  [[nodiscard]] std::vector<double> after_end(ConstRStates states) const {
    std::vector<double> at(states.data, states.data + states.size * states.count);
    std::vector<double> next(at.size());
    for (const Symbol symbol : presentation_.end) {
      network_->step({at.data(), states.size, states.count},
                     std::vector<Symbol>(states.count, symbol),
                     {next.data(), states.size, states.count});
      at.swap(next);
    }
    return at;
  }

  std::shared_ptr<const RnnAcceptor> network_;
  Presentation presentation_;
  std::vector<double> initial_;
};

}  // namespace

std::unique_ptr<RnnAcceptor> make_presented_acceptor(std::shared_ptr<const RnnAcceptor> network,
                                                     Presentation presentation) {
  return std::make_unique<PresentedAcceptor>(std::move(network), std::move(presentation));
}

}  // namespace rnnalf
