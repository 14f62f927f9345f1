#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "rnnalf/acceptor/rnn_acceptor.hpp"
#include "rnnalf/certify/box.hpp"
#include "rnnalf/certify/claim.hpp"
#include "rnnalf/certify/samples.hpp"

namespace rnnalf::certify {

/// Where a word leads: base states and symbols, from a first state on. A symbol that is not known
/// is BaseAutomaton::kNone.
struct Path {
  std::vector<std::size_t> states;  ///< one more than symbols
  std::vector<std::size_t> symbols;

  void push(std::size_t symbol, std::size_t state) {
    symbols.push_back(symbol);
    states.push_back(state);
  }
  void pop() {
    symbols.pop_back();
    states.pop_back();
  }
};

/// What is known of the end of a word: the states it passed, and symbols, where they tell more. The
/// contexts of a base state form a tree: the first one knows nothing but the state, and the
/// children of each know one thing more. Leaves may have a set, for the R-states of all words that
/// end so.
class Contexts {
 public:
  static constexpr std::size_t kNone = BaseAutomaton::kNone;

  /// All outlive this.
  Contexts(const RnnAcceptor& acceptor, const BaseAutomaton& base, const Samples& samples,
           const Budget& budget)
      : acceptor_(acceptor), base_(base), samples_(samples), budget_(budget) {}

  /// A context, and the hull of its samples: R-states of its first state, stepped along it. Once
  /// the budget is spent they are not stepped to the end.
  struct Sampled {
    std::size_t context;
    Box box;
  };
  /// The context that knows only the state. Called once for every state, in order.
  Sampled root(std::size_t state);
  /// Asks for the state before, or for the last symbol that is not known: for that which leaves the
  /// samples of the children closer together. None when nothing can be before it.
  std::vector<Sampled> refine(std::size_t context);

  [[nodiscard]] std::size_t size() const { return contexts_.size(); }
  /// The samples of a context: R-states one after the other.
  [[nodiscard]] std::vector<double> samples(std::size_t context) const {
    return stepped(contexts_[context].path);
  }
  [[nodiscard]] const Path& path(std::size_t context) const { return contexts_[context].path; }
  [[nodiscard]] std::size_t& set(std::size_t context) { return contexts_[context].set; }

  /// The set of a word that ends with this path; none when more of the word must be known.
  [[nodiscard]] std::size_t set_of(const Path& path) const;

 private:
  struct Context {
    Path path;
    std::size_t asks = 0;  ///< which symbol, counted from the end; which state: symbols.size()
    std::vector<std::pair<std::size_t, std::size_t>> children;  ///< answers, and who knows them
    std::size_t set = kNone;
  };
  struct Question {
    std::size_t asks = 0;
    std::vector<std::size_t> answers;
    std::vector<Path> paths;
    std::vector<Box> boxes;
    double largest = 0;  ///< of the boxes' extents
  };
  [[nodiscard]] std::vector<std::size_t> symbols_between(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::vector<double> stepped(const Path& path) const;
  [[nodiscard]] Box box(const Path& path) const;
  [[nodiscard]] Question which_state(const Path& path) const;
  [[nodiscard]] std::optional<Question> which_symbol(const Path& path) const;
  void look(Question& question) const;

  const RnnAcceptor& acceptor_;
  const BaseAutomaton& base_;
  const Samples& samples_;
  const Budget& budget_;
  std::vector<std::size_t> roots_;
  std::vector<Context> contexts_;
};

}  // namespace rnnalf::certify
