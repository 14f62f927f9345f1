#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/language_model/language_model.hpp"

namespace rnnalf {

/// Words with what a language model says along them: after each prefix, the whole word included, a
/// row of probabilities of the next symbol and the end, as the network gives them.
class ModelWords {
 public:
  explicit ModelWords(std::size_t row_size) : row_size_(row_size) {}

  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] bool empty() const { return words_.empty(); }
  [[nodiscard]] std::size_t row_size() const { return row_size_; }
  [[nodiscard]] std::size_t symbol_count() const { return row_size_ - 1; }
  [[nodiscard]] std::span<const Word> words() const { return words_; }
  [[nodiscard]] const Word& word(std::size_t i) const { return words_[i]; }
  /// Rows of all words, one after the other; word i has rows first(i) .. first(i + 1).
  [[nodiscard]] std::size_t first(std::size_t i) const { return first_[i]; }
  [[nodiscard]] std::size_t row_count() const { return first_.back(); }
  [[nodiscard]] std::span<const float> row(std::size_t number) const {
    return {rows_.data() + number * row_size_, row_size_};
  }
  /// The R-states of these rows, where they were asked for; see ModelSampling::state_numbers.
  [[nodiscard]] std::span<const float> state(std::size_t number) const {
    return {states_.data() + number * state_size_, state_size_};
  }
  [[nodiscard]] bool has_states() const { return !states_.empty(); }
  /// What is read after prefix `length` of word i: a symbol, or symbol_count() for the end.
  [[nodiscard]] std::size_t read_after(std::size_t i, std::size_t length) const {
    return length < words_[i].size() ? index(words_[i][length]) : symbol_count();
  }
  /// Natural logarithm of the network's probability of word i, end included; -inf for 0.
  [[nodiscard]] double log_probability(std::size_t i) const;

  /// The word with its rows, and its R-states where the model words have some.
  void add(Word word, std::span<const float> rows, std::span<const float> states = {});

 private:
  std::size_t row_size_;
  std::size_t state_size_ = 0;
  std::vector<Word> words_;
  std::vector<std::size_t> first_{0};
  std::vector<float> rows_;
  std::vector<float> states_;
};

/// How words are drawn from a language model.
struct ModelSampling {
  std::size_t words = 4000;
  std::size_t most_rows = 400'000;  ///< fewer words when these are reached
  std::size_t longest = 300;        ///< symbols; a longer word ends there
  /// Each word is drawn with one of these powers of the probabilities, the end's left as it is: 1
  /// as the model gives it, 0 uniform over what is possible, above 1 sharper.
  std::vector<double> powers = {1};
  std::uint64_t seed = 1;
  unsigned threads = 1;
  /// How many numbers are kept of an R-state: the R-state itself where it has no more, else this
  /// many random projections of it. 0: R-states are not kept.
  std::size_t state_numbers = 0;
};

/// Random words. Fewer where the budget ends; a few in any case.
[[nodiscard]] ModelWords sample_words(const LanguageModel& model, const ModelSampling& sampling,
                                      const Budget& budget, Progress* progress = nullptr);

/// The same words in, with what the model says along them; those before the budget ended.
[[nodiscard]] ModelWords read_words(const LanguageModel& model, std::span<const Word> words,
                                    unsigned threads, const Budget& budget);

}  // namespace rnnalf
