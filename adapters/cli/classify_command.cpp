#include <array>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "network_options.hpp"
#include "output.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

std::string dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Answers words and writes the answers as they come: as lines, as a JSON document, or both.
class Answers {
 public:
  Answers(const Network& network, const std::optional<std::string>& json) : network_(network) {
    if (json) {
      json_.emplace(*json);
      json_->write("{\"format\": \"rnnalf.classification/1\",\n \"network\": " +
                   dump(network.summary.file) + ",\n \"words\": [");
    }
    if (!json_ || !json_->is_stdout()) text_.emplace("-");
  }

  void add(std::span<const Word> words) {
    const auto answers = classify(*network_.acceptor, words, network_.empty_word);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (text_) text_->write(line(words[i], answers[i]));
      if (json_) json_->write((first_ ? "\n  " : ",\n  ") + object(words[i], answers[i]));
      first_ = false;
    }
    // So that a program on the other end of a pipe gets its answers before it sends more words.
    if (text_) text_->flush();
  }

  void finish() {
    if (text_) text_->commit();
    if (!json_) return;
    json_->write("\n]}\n");
    json_->commit();
  }

 private:
  [[nodiscard]] std::string line(const Word& word, const Classification& answer) const {
    std::array<char, 64> probability{};
    std::snprintf(probability.data(), probability.size(), "\t%.6f\t", answer.probability);
    return (answer.accepted ? "accept" : "reject") + std::string(probability.data()) +
           network_.summary.alphabet.format(word) + "\n";
  }

  [[nodiscard]] std::string object(const Word& word, const Classification& answer) const {
    auto symbols = nlohmann::json::array();
    for (const Symbol symbol : word) symbols.push_back(network_.summary.alphabet.name(symbol));
    return "{\"word\": " + dump(symbols) + ", \"accept\": " + dump(answer.accepted) +
           ", \"probability\": " + dump(answer.probability) + "}";
  }

  const Network& network_;  // outlives this
  std::optional<Output> text_;
  std::optional<Output> json_;
  bool first_ = true;
};

Exit run(const Arguments& arguments) {
  const NetworkOptions options = network_options(arguments);
  const auto file = arguments.value("words");
  if (!file && arguments.operands.size() == 1) {
    throw UsageError("expected words, or --words FILE, found neither");
  }
  const Network network = open_network(arguments.operands[0], options).network;
  std::vector<Word> words;
  for (std::size_t i = 1; i < arguments.operands.size(); ++i) {
    words.push_back(network.summary.alphabet.parse_word(arguments.operands[i]));
  }

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  std::optional<WordSource> source;
  if (file) source.emplace(*file, network.summary.alphabet, budget);
  Answers answers(network, arguments.value("json"));
  answers.add(words);
  while (source && !budget.spent()) {
    words = source->next();
    if (words.empty()) break;
    answers.add(words);
  }
  if (budget.limit() == Limit::Interrupt) return Exit::Interrupted;
  answers.finish();
  return Exit::Done;
}

}  // namespace

Command classify_command() {
  return {
      {.name = "classify",
       .operands = "NET [WORD...]",
       .least_operands = 1,
       .most_operands = std::numeric_limits<std::size_t>::max(),
       .summary = "the network's answer for words",
       .description =
           "Prints a line for each word: accept or reject, the probability of accept, the word; "
           "separated by tabs. A word is written without separators when every symbol is one "
           "character, else with single spaces; '' is the empty word.",
       .options = with_network_options(
           {{"words", "FILE", "also the words of a file, one per line; - is standard input"},
            {"json", "FILE", "write JSON; - is standard output, instead of the lines"}}),
       .examples = "  rnnalf classify examples/networks/tomita3_gru100.onnx '' 10 0011\n"
                   "  rnnalf classify examples/networks/bp_gru50.onnx --words words.txt --json "
                   "answers.json\n"},
      run};
}

}  // namespace rnnalf::cli
