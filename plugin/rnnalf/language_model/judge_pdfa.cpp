#include "rnnalf/language_model/judge_pdfa.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace rnnalf {
namespace {

const double kPerDecade = std::log(10.0);
constexpr std::array<std::size_t, 6> kLengthEnds = {5, 10, 20, 40, 80, 1'000'000};
constexpr std::size_t kRanked = 5;  // of NDCG
constexpr std::size_t kWordsForFamilies = 10;
constexpr std::size_t kLongestLoop = 3;
constexpr std::size_t kFewLoops = 8;
constexpr std::size_t kManyLoops = 16;

/// Positions of the largest entries, largest first.
std::vector<std::size_t> ranking(std::span<const double> row) {
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min(kRanked, row.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
      [&](std::size_t a, std::size_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
  order.resize(count);
  return order;
}

/// Compares rows along the sampled words.
void judge_rows(const Pdfa& pdfa, const ModelWords& words, PdfaJudgement& judged) {
  double divergence = 0;
  std::vector<double> by_word;
  double rows = 0, differ = 0, ndcg = 0, left_out = 0;
  std::vector<double> network(words.row_size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    LState state = pdfa.initial();
    double of_word = 0;
    for (std::size_t length = 0; length <= words.word(i).size(); ++length) {
      const auto given = words.row(words.first(i) + length);
      const double sum = std::accumulate(given.begin(), given.end(), 0.0);
      const auto own = pdfa.row(state);
      for (std::size_t b = 0; b < network.size(); ++b) {
        network[b] = sum > 0 ? given[b] / sum : 0;
        if (network[b] > 0) of_word += network[b] * std::log(network[b] / own[b]);
      }
      const auto best = ranking(network);
      const auto found = ranking(own);
      differ += best.front() != found.front();
      double gained = 0, most = 0;
      for (std::size_t r = 0; r < best.size(); ++r) {
        const double discount = std::log2(static_cast<double>(r + 2));
        gained += network[found[r]] / discount;
        most += network[best[r]] / discount;
      }
      ndcg += most > 0 ? gained / most : 1;
      left_out += 1 - sum;
      rows += 1;
      if (length < words.word(i).size()) state = pdfa.next(state, words.word(i)[length]);
    }
    divergence += of_word;
    by_word.push_back(of_word);
  }
  judged.divergence = divergence / rows;
  judged.word_error_rate = differ / rows;
  judged.ndcg = ndcg / rows;
  judged.left_out = std::max(0.0, left_out / rows);
  // A ratio of two means over independent words.
  double squares = 0;
  for (std::size_t i = 0; i < by_word.size(); ++i) {
    const auto length = static_cast<double>(words.word(i).size() + 1);
    const double deviation = by_word[i] - judged.divergence * length;
    squares += deviation * deviation;
  }
  judged.divergence_error = 1.96 * std::sqrt(squares) / rows;
}

/// Uniform symbols; the lengths are those of the given words.
std::vector<Word> uniform_words(std::span<const Word> like, std::size_t symbols,
                                std::uint64_t seed) {
  Random random(seed);
  std::vector<Word> words;
  for (const Word& one : like) {
    Word word(symbols > 0 ? one.size() : 0);
    for (Symbol& symbol : word) symbol = static_cast<Symbol>(random.below(symbols));
    words.push_back(std::move(word));
  }
  return words;
}

double error_on(const Pdfa& pdfa, const ModelWords& words, std::size_t i) {
  return (pdfa.log_probability(words.word(i)) - words.log_probability(i)) / kPerDecade;
}

std::vector<WorstWord> worst_words(const Pdfa& pdfa, const ModelWords& words, std::size_t most) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double error = std::abs(error_on(pdfa, words, i));
    if (!std::isnan(error)) order.emplace_back(error, i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<WorstWord> worst;
  std::set<Word> seen;
  for (const auto& [error, i] : order) {
    if (worst.size() == most) break;
    if (!seen.insert(words.word(i)).second) continue;
    worst.push_back({words.word(i), pdfa.log_probability(words.word(i)) / kPerDecade,
                     words.log_probability(i) / kPerDecade});
  }
  return worst;
}

Word pumped(const WorstFamily& family, std::size_t loops) {
  Word word = family.prefix;
  for (std::size_t i = 0; i < loops; ++i) {
    word.insert(word.end(), family.loop.begin(), family.loop.end());
  }
  word.insert(word.end(), family.suffix.begin(), family.suffix.end());
  return word;
}

std::vector<WorstFamily> worst_families(const LanguageModel& model, const Pdfa& pdfa,
                                        std::span<const WorstWord> worst, std::size_t most,
                                        unsigned threads, const Budget& budget) {
  std::vector<WorstFamily> tried;
  std::set<Word> loops;
  for (const WorstWord& one : worst) {
    for (std::size_t from = 0; from < one.word.size(); ++from) {
      for (std::size_t length = 1; length <= kLongestLoop; ++length) {
        if (from + length > one.word.size()) break;
        const auto at = one.word.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = at + static_cast<std::ptrdiff_t>(length);
        if (!loops.insert(Word(at, end)).second) continue;
        tried.push_back({Word(one.word.begin(), at), Word(at, end), Word(end, one.word.end())});
      }
    }
  }
  std::vector<Word> words;
  for (const WorstFamily& family : tried) {
    words.push_back(pumped(family, kFewLoops));
    words.push_back(pumped(family, kManyLoops));
  }
  const ModelWords run = read_words(model, words, threads, budget);
  if (run.size() < words.size()) return {};  // the budget ended
  // In lockstep a longer word ends later, but words are kept in the order given.
  std::vector<WorstFamily> found;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const double change = error_on(pdfa, run, 2 * i + 1) - error_on(pdfa, run, 2 * i);
    if (!std::isfinite(change)) continue;
    tried[i].decades_per_loop = change / static_cast<double>(kManyLoops - kFewLoops);
    found.push_back(std::move(tried[i]));
  }
  std::stable_sort(found.begin(), found.end(), [](const WorstFamily& a, const WorstFamily& b) {
    return std::abs(a.decades_per_loop) / static_cast<double>(a.loop.size()) >
           std::abs(b.decades_per_loop) / static_cast<double>(b.loop.size());
  });
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace

WordsJudged judge_words(const Pdfa& pdfa, const ModelWords& words) {
  WordsJudged judged{.words = words.size()};
  std::size_t shortest = 0;
  for (const std::size_t end : kLengthEnds) {
    judged.by_length.push_back({shortest, end, 0, 0});
    shortest = end + 1;
  }
  double sum = 0, squares = 0, own = 0, networks = 0, symbols = 0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double p = pdfa.log_probability(words.word(i));
    const double meant = words.log_probability(i);
    squares += std::pow(std::exp(p) - std::exp(meant), 2);
    judged.impossible_to_pdfa += std::isinf(p) && !std::isinf(meant);
    judged.impossible_to_network += !std::isinf(p) && std::isinf(meant);
    if (std::isinf(p) || std::isinf(meant)) continue;
    const double error = std::abs(p - meant) / kPerDecade;
    sum += error;
    own += p;
    networks += meant;
    symbols += static_cast<double>(words.word(i).size() + 1);
    ++counted;
    for (WordsJudged::OfLength& part : judged.by_length) {
      if (words.word(i).size() > part.longest) continue;
      part.decades += error;
      ++part.words;
      break;
    }
  }
  for (WordsJudged::OfLength& part : judged.by_length) {
    if (part.words > 0) part.decades /= static_cast<double>(part.words);
  }
  std::erase_if(judged.by_length, [](const auto& part) { return part.words == 0; });
  if (!words.empty()) judged.mean_squared_error = squares / static_cast<double>(words.size());
  if (counted == 0) return judged;
  judged.decades = sum / static_cast<double>(counted);
  judged.perplexity = std::exp(-own / symbols);
  judged.network_perplexity = std::exp(-networks / symbols);
  return judged;
}

PdfaJudgement judge_pdfa(const LanguageModel& model, const Pdfa& pdfa, const JudgeOptions& options,
                         const Budget& budget) {
  const ModelWords sampled = sample_words(
      model, {.words = options.words, .seed = options.seed, .threads = options.threads}, budget);
  const ModelWords uniform =
      read_words(model, uniform_words(sampled.words(), model.symbol_count(), options.seed + 1),
                 options.threads, budget);
  PdfaJudgement judged{.sampled = judge_words(pdfa, sampled),
                       .uniform = judge_words(pdfa, uniform)};
  if (!options.given.empty()) {
    judged.given = judge_words(pdfa, read_words(model, options.given, options.threads, budget));
  }
  judge_rows(pdfa, sampled, judged);
  const std::vector<WorstWord> worst =
      worst_words(pdfa, sampled, std::max(options.worst, kWordsForFamilies));
  judged.families = worst_families(model, pdfa, worst, options.worst, options.threads, budget);
  judged.worst.assign(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(
                                                         std::min(options.worst, worst.size())));
  judged.complete = sampled.size() >= options.words && !budget.spent();
  return judged;
}

}  // namespace rnnalf
