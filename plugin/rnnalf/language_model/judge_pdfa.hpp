#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rnnalf/language_model/model_words.hpp"

namespace rnnalf {

/// How the probabilities of a PDFA and of a network compare on some words.
struct WordsJudged {
  std::size_t words = 0;
  /// Mean of |log10(p / p*)| over the words that both think possible.
  double decades = 0;
  double mean_squared_error = 0;          ///< of p, over all words
  std::size_t impossible_to_pdfa = 0;     ///< words of probability 0 for the PDFA alone
  std::size_t impossible_to_network = 0;  ///< for the network alone
  double perplexity = 1;                  ///< of the PDFA; over words that both think possible
  double network_perplexity = 1;
  struct OfLength {
    std::size_t shortest = 0;
    std::size_t longest = 0;
    std::size_t words = 0;
    double decades = 0;
  };
  std::vector<OfLength> by_length = {};
};

/// A word on which the two differ much.
struct WorstWord {
  Word word;
  double pdfa = 0;     ///< log10 of the probability
  double network = 0;  ///< log10 of the probability
};

/// Words prefix loop^k suffix whose error grows with every repetition.
struct WorstFamily {
  Word prefix, loop, suffix;
  double decades_per_loop = 0;  ///< above 0: the PDFA thinks them more likely
};

/// What is known of a PDFA as a copy of a language model.
struct PdfaJudgement {
  WordsJudged sampled;  ///< words as the network draws them
  WordsJudged uniform;  ///< symbols drawn uniformly, lengths as the network draws them
  std::optional<WordsJudged> given = {};
  // Over the prefixes of the sampled words:
  double divergence = 0;        ///< KL(network, PDFA) per symbol, in nats; rows scaled to 1
  double divergence_error = 0;  ///< half the width of its 95 % confidence interval
  double word_error_rate = 0;   ///< share where the most probable next symbol differs
  double ndcg = 1;              ///< of the PDFA's five most probable symbols
  double left_out = 0;  ///< mean probability that the network gives symbols that no word has
  std::vector<WorstWord> worst = {};
  std::vector<WorstFamily> families = {};
  bool complete = true;  ///< false: the budget ended before the families were tried
};

struct JudgeOptions {
  std::size_t words = 2000;  ///< of each kind
  std::size_t worst = 5;     ///< words and families listed
  std::vector<Word> given = {};
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

[[nodiscard]] WordsJudged judge_words(const Pdfa& pdfa, const ModelWords& words);

/// The words depend on the model, the options and the seed, not on the PDFA.
[[nodiscard]] PdfaJudgement judge_pdfa(const LanguageModel& model, const Pdfa& pdfa,
                                       const JudgeOptions& options, const Budget& budget);

}  // namespace rnnalf
