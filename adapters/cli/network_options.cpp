#include "network_options.hpp"

#include <algorithm>
#include <limits>

#include "units.hpp"

namespace rnnalf::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& expected,
                         const std::string& found) {
  throw UsageError("--" + option + ": expected " + expected + ", found '" + found + "'");
}

}  // namespace

std::vector<Option> with_network_options(std::vector<Option> more) {
  std::vector<Option> options = {
      {"alphabet", "A",
       "the symbols in index order: split at spaces if there are any, else one per character "
       "(default: the file's own, else 0 1 2 ...)"},
      {"vocabulary", "FILE",
       "the symbols from a file, as training programs save them: a JSON list, a JSON dictionary "
       "from symbol to index or back, or one per line"},
      {"cell", "C",
       "elman-tanh, elman-relu, gru, gru-reset-before or lstm, where the file leaves a choice"},
      {"head-from", "H",
       "the states that the head reads, where the file does not say: last, mean, sum or max over "
       "time (default: last)"},
      {"activation", "LIST",
       "the activations in front of the head's dense layers, where the file does not say: one for "
       "each, or for each but the first, or one for all of these; names with commas (default: none "
       "in front of the first)"},
      {"probes", "FILE",
       "words with the probability of accept that the trainer computed, JSON: [[word, "
       "probability], ...], a word as a list of symbols or of their indices; a network that "
       "answers otherwise is refused"},
      {"accept-class", "I", "the output class that means accept (default: 1 of two)"},
      {"empty-word", "W",
       "answer for the empty word: accept, reject or network (default: network)"},
      {"precision", "P", "arithmetic of inference: float or double (default: float)"}};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

NetworkOptions network_options(const Arguments& arguments) {
  NetworkOptions options;
  if (const auto text = arguments.value("alphabet")) {
    try {
      options.read.alphabet = Alphabet::parse(*text);
    } catch (const OptionError& error) {
      throw UsageError(std::string("--") + error.what());
    }
  }
  if (const auto text = arguments.value("cell")) {
    options.read.cell = cell_from_name(*text);
    if (!options.read.cell) {
      refuse("cell", "elman-tanh, elman-relu, gru, gru-reset-before or lstm", *text);
    }
  }
  if (const auto text = arguments.value("vocabulary")) {
    if (options.read.alphabet) refuse("vocabulary", "no --alphabet beside it", *text);
    options.read.vocabulary = *text;
  }
  if (const auto text = arguments.value("head-from")) {
    options.read.head_from = head_from_name(*text);
    if (!options.read.head_from) refuse("head-from", "last, mean, sum or max", *text);
  }
  if (const auto text = arguments.value("activation")) {
    for (std::size_t at = 0; at <= text->size();) {
      const std::size_t end = std::min(text->find(',', at), text->size());
      const auto activation = activation_from_name(text->substr(at, end - at));
      if (!activation) refuse("activation", activation_names(), text->substr(at, end - at));
      options.read.activations.push_back(*activation);
      at = end + 1;
    }
  }
  if (const auto text = arguments.value("probes")) options.read.probes = *text;
  if (const auto text = arguments.value("accept-class")) {
    options.read.accept_class = static_cast<std::size_t>(
        parse_count("accept-class", *text, 0, std::numeric_limits<std::uint32_t>::max()));
  }
  if (const auto text = arguments.value("empty-word")) {
    if (*text == "accept" || *text == "reject") {
      options.empty_word = *text == "accept";
    } else if (*text != "network") {
      refuse("empty-word", "accept, reject or network", *text);
    }
  }
  if (const auto text = arguments.value("precision")) {
    if (*text == "double") {
      options.precision = Precision::Double;
    } else if (*text != "float") {
      refuse("precision", "float or double", *text);
    }
  }
  return options;
}

OpenNetwork open_network(const std::string& path, const NetworkOptions& options) {
  LoadedNetwork loaded = load_network(path, options.read);
  Network network = make_network(loaded.spec, options.precision, options.empty_word);
  return {loaded.format, std::move(loaded.spec), std::move(network)};
}

}  // namespace rnnalf::cli
