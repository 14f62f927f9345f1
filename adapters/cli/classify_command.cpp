#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "rnnalf/acceptor/run_words.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/sentences.hpp"
#include "word_source.hpp"

namespace rnnalf::cli {
namespace {

struct ClassifyArguments {
  std::string file;
  std::vector<std::string> words;
  NetworkOptions network;
  std::optional<std::string> words_file;
  std::optional<std::string> json;
};

std::string dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Answers words and writes the answers as they come: as lines, as a JSON document, or both.
class Answers {
 public:
  Answers(const Network& network, const std::optional<std::string>& json) : network_(network) {
    if (json) {
      json_.emplace(*json);
      json_->write(
          fmt::format(R"({{"format": "rnnalf.classification/1",{0} "network": {1},{0} "words": [)",
                      '\n', dump(network.summary.file)));
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
    // A program at the other end of a pipe may wait for these answers before it sends more words.
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
    const NetworkSummary& network = network_.summary;
    const std::string said = has_classes() && answer.answer != Answer::None
                                 ? network.classes.name(answer.answer)
                                 : answer_name(answer.answer, network);
    return fmt::format("{}\t{:.6f}\t{}\n", said, answer.probability, network.alphabet.format(word));
  }

  [[nodiscard]] std::string object(const Word& word, const Classification& answer) const {
    auto symbols = nlohmann::json::array();
    for (const Symbol symbol : word) symbols.push_back(network_.summary.alphabet.name(symbol));
    const ClassNames& classes = network_.summary.classes;
    const char* const what = has_classes() ? "class" : "accept";
    const bool none = answer.answer == Answer::None;
    std::string said = none            ? fmt::format(R"("{}": null)", what)
                       : has_classes() ? fmt::format(R"("{}": {})", what, index(answer.answer))
                                       : fmt::format(R"("{}": {})", what, answer.accepted());
    if (!classes.empty() && !none)
      said += fmt::format(R"(, "name": {})", dump(classes.name(answer.answer)));
    return fmt::format(R"({{"word": {}, {}, "probability": {}}})", dump(symbols), said,
                       dump(answer.probability));
  }

  [[nodiscard]] bool has_classes() const { return network_.summary.answers > 2; }

  const Network& network_;  // outlives this
  std::optional<Output> text_;
  std::optional<Output> json_;
  bool first_ = true;
};

void declare(CommandLine& line, ClassifyArguments& arguments) {
  line.describe(
      "Prints a line for each word: accept or reject, the probability of accept, the word; "
      "separated by tabs. Of a network with more than two classes: the class (its name, where it "
      "has one), its probability, the word. Where the network's numbers are not finite: no answer, "
      "nan, the word. A word is written without separators when every symbol "
      "is one character, else with single spaces; '' is the empty word. Exit code 0, whatever the "
      "answers; 130: interrupted.",
      "  rnnalf classify examples/networks/tomita3_gru100.onnx '' 10 0011\n"
      "  rnnalf classify examples/networks/bp_gru50.onnx --words words.txt --json answers.json\n");
  line.operand("NET", arguments.file);
  line.operands("WORD", 0, arguments.words);
  line.options(NetworkOptions::table(), arguments.network);
  line.option("words", "FILE", "also the words of a file, one per line; - is standard input",
              arguments.words_file);
  line.option("json", "FILE", "write JSON; - is standard output, instead of the lines",
              arguments.json);
  line.check([&arguments] {
    if (arguments.words.empty() && !arguments.words_file) {
      throw UsageError("expected words, or --words FILE, found neither");
    }
  });
}

Exit run(const ClassifyArguments& arguments) {
  const Outputs outputs({{"--json", arguments.json}}, Inputs()
                                                          .add("NET", arguments.file)
                                                          .add(arguments.network)
                                                          .add("--words", arguments.words_file));
  const Network network = open_network(arguments.file, arguments.network).network;
  const Alphabet& alphabet = network.summary.alphabet;
  std::vector<Word> words;
  for (const std::string& text : arguments.words) words.push_back(alphabet.parse_word(text));

  Budget budget;
  const InterruptOnSignal on_signal(budget);
  std::optional<WordSource> source;
  if (arguments.words_file) source.emplace(*arguments.words_file, alphabet, budget);
  Answers answers(network, arguments.json);
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
  return make_command<ClassifyArguments>("classify", "the network's answer for words", declare,
                                         run);
}

}  // namespace rnnalf::cli
