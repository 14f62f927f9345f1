#include "rnnalf/networks/open_network.hpp"

#include <algorithm>
#include <charconv>

#include "rnnalf/base/text.hpp"
#include "rnnalf/network/cells.hpp"

namespace rnnalf {
namespace {

using Field = OptionField<NetworkOptions>;

Choice<std::string_view> cell_names() {
  Choice<std::string_view> kind;
  for (const CellKind cell : {CellKind::ElmanTanh, CellKind::ElmanRelu, CellKind::Gru,
                              CellKind::GruResetBefore, CellKind::Lstm}) {
    kind.names.emplace_back(name(cell), name(cell));
  }
  for (const Cell& cell : cells()) kind.names.emplace_back(cell.name, cell.name);
  return kind;
}

std::string head_from_text(const NetworkOptions& options) {
  return options.read.head_from.empty() ? "none" : names(options.read.head_from);
}

/// `mean`, or `last+mean+max` where the head reads several, one behind the other.
void read_head_from(NetworkOptions& options, std::string_view text) {
  std::vector<HeadFrom> all;
  for (std::size_t at = 0; at <= text.size() && text != "none";) {
    const std::size_t end = std::min(text.find('+', at), text.size());
    const auto from = head_from_name(text.substr(at, end - at));
    if (!from) {
      throw OptionError("expected last, mean, sum or max, or several with + between, found " +
                        in_quotes(text.substr(at, end - at)));
    }
    if (std::find(all.begin(), all.end(), *from) != all.end()) {
      throw OptionError("expected each of them once, found " + in_quotes(text));
    }
    all.push_back(*from);
    at = end + 1;
  }
  options.read.head_from = std::move(all);
}

std::string path_text(const std::filesystem::path& path) {
  return path.empty() ? "none" : path.string();
}

std::string vocabulary_text(const NetworkOptions& options) {
  return path_text(options.read.vocabulary);
}

void read_vocabulary(NetworkOptions& options, std::string_view text) {
  if (options.read.alphabet) {
    throw OptionError("expected no `alphabet` with it, found " + in_quotes(text));
  }
  options.read.vocabulary = text;
}

std::string probes_text(const NetworkOptions& options) {
  return path_text(options.read.probes);
}

void read_probes(NetworkOptions& options, std::string_view text) {
  options.read.probes = text;
}

std::string activations_text(const NetworkOptions& options) {
  std::string all;
  for (const NamedActivation& one : options.read.activations) {
    all += all.empty() ? "" : ",";
    all += name(one.activation);
    if (one.slope != 0) all += ":" + option_value::text(Number{}, one.slope);
  }
  return all.empty() ? "none" : all;
}

void read_activations(NetworkOptions& options, std::string_view text) {
  std::vector<NamedActivation> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto activation = activation_from_name(text.substr(at, end - at));
    if (!activation) {
      throw OptionError("expected " + activation_names() + ", found " +
                        in_quotes(text.substr(at, end - at)));
    }
    all.push_back(*activation);
    at = end + 1;
  }
  options.read.activations = std::move(all);
}

std::string alphabet_text(const NetworkOptions& options) {
  return options.read.alphabet ? options.read.alphabet->text() : "none";
}

std::string with_spaces(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& one : names) all += (all.empty() ? "" : " ") + one;
  return all.empty() ? "none" : all;
}

std::string classes_text(const NetworkOptions& options) {
  return with_spaces(options.read.classes ? options.read.classes->names()
                                          : std::vector<std::string>());
}

void read_classes(NetworkOptions& options, std::string_view text) {
  options.read.classes = ClassNames::parse(text);
}

std::string accept_class_text(const NetworkOptions& options) {
  return options.read.accept_class ? options.read.accept_class->text() : "none";
}

void read_accept_class(NetworkOptions& options, std::string_view text) {
  // How nothing is written here; a network may have such a class all the same.
  if (text == "none") throw OptionError("expected a number for a class of this name, found 'none'");
  options.read.accept_class = GivenClass(text);
}

/// One of the lists of names in Tokens.
Field token_option(std::string name, std::string value, std::string help,
                   std::vector<std::string> Tokens::*list) {
  const auto text = [list](const NetworkOptions& options) {
    return with_spaces(options.tokens.*list);
  };
  return {std::move(name),
          std::move(value),
          std::move(help),
          [list](NetworkOptions& options, std::string_view given) {
            options.tokens.*list = split_at_spaces(given);
            if ((options.tokens.*list).empty()) throw OptionError("expected symbols, found none");
          },
          text,
          [text](const NetworkOptions& options) { return OptionValue(text(options)); },
          [](const NetworkOptions&) {}};
}

std::string empty_word_text(const NetworkOptions& options) {
  if (options.empty_class) return options.empty_class->text();
  if (!options.empty_word) return "network";
  if (*options.empty_word == Answer::Accept) return "accept";
  return *options.empty_word == Answer::Reject ? "reject"
                                               : std::to_string(index(*options.empty_word));
}

/// A field with a text of its own.
Field written_as(std::string name, std::string value, std::string help,
                 void (*read)(NetworkOptions&, std::string_view),
                 std::string (*text)(const NetworkOptions&)) {
  return {std::move(name),
          std::move(value),
          std::move(help),
          read,
          text,
          [text](const NetworkOptions& options) { return OptionValue(text(options)); },
          [](const NetworkOptions&) {}};
}

void read_alphabet(NetworkOptions& options, std::string_view text) {
  options.read.alphabet = Alphabet::parse(text);
}

void read_empty_word(NetworkOptions& options, std::string_view text) {
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  options.empty_class.reset();
  options.empty_word.reset();
  if (text == "network") return;
  if (text == "accept" || text == "reject") {
    options.empty_word = accept_if(text == "accept");
  } else if (error == std::errc() && end == text.data() + text.size()) {
    options.empty_word = static_cast<Answer>(number);
  } else {
    try {
      options.empty_class = GivenClass(text);
    } catch (const OptionError&) {
      throw OptionError("expected accept, reject, network or a class, by number or name, found " +
                        in_quotes(text));
    }
  }
}

OpenNetwork opened(LoadedNetwork loaded, const NetworkOptions& options) {
  if (options.language_model) {
    throw OptionError(
        "language-model: expected with a command that works on language models (extract, "
        "evaluate), found it with one about networks that accept and reject");
  }
  const std::optional<Answer> empty_word = answer_for_empty_word(options, loaded.spec);
  return {loaded.format,
          make_network(std::move(loaded.spec), options.precision, empty_word, options.tokens)};
}

}  // namespace

std::optional<Answer> answer_for_empty_word(const NetworkOptions& options,
                                            const NetworkSpec& spec) {
  if (!options.empty_class) return options.empty_word;
  const auto found = spec.classes.find(options.empty_class->text());
  if (!found) {
    std::string known;
    for (const std::string& name : spec.classes.names()) known += " " + name;
    throw NetworkFileError(spec.file,
                           "empty word: expected " +
                               (known.empty() ? "accept, reject or the number of a class,"
                                                " as the classes have no names"
                                              : "one of the classes" + known) +
                               ", found " + in_quotes(options.empty_class->text()));
  }
  if (spec.answer_count() == 2) return accept_if(*found == spec.accept_class.value_or(1));
  return static_cast<Answer>(*found);
}

const std::vector<Field>& NetworkOptions::table() {
  static const std::vector<Field> fields = {
      written_as("alphabet", "A",
                 "the symbols in index order: split at spaces if there are any, else one per "
                 "character (default: the file's own, else 0 1 2 ...)",
                 read_alphabet, alphabet_text),
      written_as("vocabulary", "FILE",
                 "the symbols from a file, as training programs save them: a JSON list, a JSON "
                 "dictionary from symbol to index or back (also under word_index, stoi, itos or "
                 "vocab), or one per line",
                 read_vocabulary, vocabulary_text),
      token_option("begin", "S",
                   "the symbol in front of every word, such as '<s>'; several with spaces between",
                   &Tokens::begin),
      token_option("end", "S", "the symbol behind every word, such as '</s>'; as `begin`",
                   &Tokens::end),
      token_option("over", "LIST",
                   "the symbols that words are made of, in the order they are to have (default: "
                   "all that neither begin nor end a word); others, such as one for padding, are "
                   "left out",
                   &Tokens::over),
      option_at<NetworkOptions>(
          "cell", "C", cell_names(), [](auto& options) -> auto& { return options.read.cell; },
          "the cell, where the file leaves a choice: elman-tanh, elman-relu, gru, "
          "gru-reset-before, lstm; "
          "mingru, mingru-log, mingru-joint, minlstm, diagonal, lru, s5, mamba or slstm"),
      written_as("head-from", "H",
                 "the states that the head reads, where the file does not say: last, mean, sum or "
                 "max over time, or several joined, such as last+mean+max (default: last)",
                 read_head_from, head_from_text),
      written_as(
          "activation", "LIST",
          "the activations in front of the head's dense layers, where the file does not say: "
          "one for each, or for each but the first, or one for all of these; names with "
          "commas (default: none in front of the first)",
          read_activations, activations_text),
      written_as(
          "probes", "FILE",
          "words with the probability of accept that the trainer computed, JSON: [[word, "
          "probability], ...] or [{\"word\": word, \"score\": probability}, ...], with a list of "
          "probabilities for those of all classes; a word as a list of symbols or of their "
          "indices, all that the network is to read; a network that answers otherwise is refused",
          read_probes, probes_text),
      written_as("classes", "LIST",
                 "the names of the output classes in index order, with spaces between them, such "
                 "as 'negative neutral positive' (default: the file's own, else numbers)",
                 read_classes, classes_text),
      written_as("accept-class", "I",
                 "the output class that means accept, by number or name (default: 1 of two; of "
                 "more, every class is an answer of its own)",
                 read_accept_class, accept_class_text),
      written_as("empty-word", "W",
                 "answer for the empty word: accept, reject or network; or a class, by number or "
                 "name",
                 read_empty_word, empty_word_text),
      option("precision", "P",
             Choice<Precision>{{{"float", Precision::Float}, {"double", Precision::Double}}},
             &NetworkOptions::precision, "arithmetic of inference: float or double"),
      option("language-model", "", Flag{}, &NetworkOptions::language_model,
             "the outputs are probabilities of the next symbol: of all symbols, where `end` names "
             "the one that ends words; else of all symbols and, the last, of the end")};
  return fields;
}

OpenNetwork open_network(const std::filesystem::path& path, const NetworkOptions& options) {
  return opened(load_network(path, options.read), options);
}

LanguageModel open_language_model(const std::filesystem::path& path,
                                  const NetworkOptions& options) {
  return as_language_model(make_network(load_network(path, options.read).spec, options.precision),
                           options.tokens);
}

OpenNetwork open_network(std::string_view bytes, const std::string& file,
                         const NetworkOptions& options) {
  return opened(parse_network(bytes, file, options.read), options);
}

}  // namespace rnnalf
