#include "rnnalf/comparison/plan.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/file.hpp"
#include "rnnalf/base/terminal_text.hpp"
#include "rnnalf/base/word_list.hpp"
#include "rnnalf/baseline/baseline.hpp"
#include "rnnalf/comparison/store.hpp"
#include "rnnalf/report/quantities.hpp"

namespace rnnalf {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 32U;
constexpr std::string_view kNetworkName = "{name}";

struct NamedText {
  std::string file;
  std::string text;
};

NamedText read_text(const std::string& file) {
  return {file, read_file(file == "-" ? "/dev/stdin" : file, kLargestFile)};
}

/// Files of all networks: those with {name} in their names are a network's own.
std::vector<NamedText> read_texts(const std::vector<std::string>& files) {
  std::vector<NamedText> texts;
  for (const std::string& file : files) {
    texts.push_back(is_of_one_network(file) ? NamedText{file, ""} : read_text(file));
  }
  return texts;
}

/// An automaton file with its text, for the checksum.
struct DfaText {
  std::string text;
  DfaFile dfa;
};

DfaText read_dfa(const std::string& file, std::vector<std::string>& notes) {
  const DfaFormat format = dfa_format_of(file);
  std::string text = read_text(file).text;
  DfaFile dfa = parse_dfa(text, format, file);
  if (std::string note = note_on(dfa); !note.empty()) notes.push_back(std::move(note));
  return {std::move(text), std::move(dfa)};
}

/// Files as they are given, the files of a folder in order of their names.
std::vector<std::filesystem::path> milestone_files(const std::vector<std::string>& given) {
  std::vector<std::filesystem::path> all;
  for (const std::string& path : given) {
    if (!std::filesystem::is_directory(path)) {
      all.emplace_back(path);
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry);
    if (files.empty()) throw FileError(path, "expected a folder of DFA files, found an empty one");
    std::sort(files.begin(), files.end());
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

/// What is the same for all networks.
struct Shared {
  std::vector<NamedText> samples;
  std::vector<NamedText> words;
  std::vector<std::pair<std::string, DfaText>> milestones;  // by name
};

Shared read_shared(const ComparisonOptions& options, std::vector<std::string>& notes) {
  Shared shared{read_texts(options.samples), read_texts(options.words), {}};
  for (const std::filesystem::path& file : milestone_files(options.milestones)) {
    shared.milestones.emplace_back(file.stem().string(), read_dfa(file.string(), notes));
  }
  return shared;
}

struct ReadNetwork {
  ComparedNetwork network;
  std::string checksum;  // of all that was read
};

/// The network itself; what is read for it goes into the checksum.
void read_weights(const std::string& file, const ComparisonOptions& options,
                  ComparedNetwork& result, Checksum& checksum) {
  if (const auto found = options.at_hand.find(file); found != options.at_hand.end()) {
    checksum.add(file);
    result.network = found->second;
    return;
  }
  const std::string bytes = read_file(file, kLargestNetworkFile);
  checksum.add(bytes);
  NetworkOptions in_folder = options.network;
  in_folder.read.folder = folder_of(file);
  if (const auto& vocabulary = options.network.read.vocabulary; !vocabulary.empty()) {
    checksum.add(read_file(vocabulary, kLargestFile));
  }
  OpenNetwork opened = open_network(bytes, file, in_folder);
  for (const std::string& name : opened.spec().beside) {
    result.beside.push_back(in_folder.read.folder / name);
    checksum.add(read_file(result.beside.back(), kLargestNetworkFile));
  }
  result.network = std::move(opened.network);
}

ReadNetwork read_network(const std::string& file, const ComparisonOptions& options,
                         const Shared& shared, std::vector<std::string>& notes) {
  ComparedNetwork result;
  Checksum checksum;
  read_weights(file, options, result, checksum);
  const NetworkSummary& summary = result.network.summary;
  const Alphabet& alphabet = summary.alphabet;
  const auto about_network = [&](const DfaFile& dfa) {
    return over_alphabet(dfa, alphabet, summary.answers, summary.classes);
  };
  if (const auto target = target_file(file, options)) {
    const DfaText read = read_dfa(*target, notes);
    result.target = about_network(read.dfa);
    checksum.add(read.text);
  }
  for (const std::string& text : options.sample) {
    result.samples.push_back(alphabet.parse_word(text));
    checksum.add(text);
  }
  const auto add_words = [&](const std::vector<NamedText>& files, std::vector<Word>& to) {
    checksum.add("words of files");  // so that no file takes another one's place
    for (const NamedText& shared_text : files) {
      const NamedText own = is_of_one_network(shared_text.file)
                                ? read_text(file_of_network(shared_text.file, file))
                                : shared_text;
      const std::vector<Word> words = parse_words(own.text, own.file, alphabet);
      to.insert(to.end(), words.begin(), words.end());
      checksum.add(own.text);
    }
  };
  add_words(shared.samples, result.samples);
  add_words(shared.words, result.words);
  for (const auto& [name, milestone] : shared.milestones) {
    result.milestones.push_back({name, about_network(milestone.dfa)});
    checksum.add(name);
    checksum.add(milestone.text);
  }
  return {std::move(result), checksum.text()};
}

/// The options that decide a result and have no place of their own in the cell.
std::vector<UsedOption> other_options(const ComparedNetwork& network,
                                      const ComparisonOptions& options,
                                      const ExtractionOptions& extraction) {
  std::vector<UsedOption> used;
  constexpr std::array<std::string_view, 8> not_here = {
      "method", "learner", "oracle", "seed", "threads", "sample", "certify", "plotted-r-states"};
  for (const UsedOption& option : used_options(extraction, network.network.summary.alphabet)) {
    if (std::find(not_here.begin(), not_here.end(), option.first) == not_here.end()) {
      used.push_back(option);
    }
  }
  // First what every network has, then what was said about this one.
  constexpr std::array<std::string_view, 12> in_order = {
      "empty-word", "precision", "alphabet",   "cell",  "classes", "accept-class",
      "vocabulary", "head-from", "activation", "begin", "end",     "over"};
  for (const std::string_view name : in_order) {
    for (const OptionField<NetworkOptions>& field : NetworkOptions::table()) {
      if (field.name != name) continue;
      const std::string text = field.text(options.network);
      if (text != "none") used.emplace_back(field.name, text);
    }
  }
  if (!network.samples.empty()) {
    used.emplace_back("samples", counted(network.samples.size(), "word", "words"));
  }
  used.emplace_back("lengths", option_value::text(Counts{}, options.lengths));
  used.emplace_back("per-length", std::uint64_t{options.per_length});
  return used;
}

ComparisonCell planned_cell(const std::string& file, const ReadNetwork& read,
                            const ComparisonOptions& options, const ExtractionOptions& extraction) {
  const bool baseline = extraction.method.is_baseline();
  ComparisonCell cell;
  cell.network = file;
  cell.method = extraction.method;
  cell.learner = baseline ? "" : extraction.learner;
  cell.oracle = baseline ? "" : oracles_text(extraction.oracles, Parameters::GivenAlone);
  cell.seed = extraction.seed;
  cell.inputs = read.checksum;
  cell.program = options.program;
  cell.options = other_options(read.network, options, extraction);
  return cell;
}

/// The samples of an extraction: k-means clusters the given words and passive methods learn from
/// them, where there are some. Files without a word would silently become random words.
const std::vector<Word>& samples_for(const MethodSpec& method, const ComparedNetwork& network,
                                     const ComparisonOptions& options) {
  if (!method.looks_at_words()) return network.samples;
  const std::vector<Word>& samples = network.words.empty() ? network.samples : network.words;
  const auto& files = options.words.empty() ? options.samples : options.words;
  if (samples.empty() && !files.empty()) refuse_no_words(files.front(), method);
  require_words(method, samples.size());
  return samples;
}

}  // namespace

bool is_of_one_network(const std::string& file) {
  return file.find(kNetworkName) != std::string::npos;
}

std::string file_of_network(std::string file, const std::string& network) {
  return replaced(std::move(file), kNetworkName, std::filesystem::path(network).stem().string());
}

std::optional<std::string> target_file(const std::string& network,
                                       const ComparisonOptions& options) {
  std::filesystem::path file(network);
  const auto named = options.targets.find(file.stem().string());
  if (named != options.targets.end()) return named->second;
  file.replace_extension(".target.dot");
  if (options.at_hand.contains(network) || !std::filesystem::exists(file)) return std::nullopt;
  return file.string();
}

ComparisonPlan plan_comparison(const ComparisonOptions& options) {
  validate(options);
  const std::vector<ExtractionOptions> ways = ways_to_extract(options);
  ComparisonPlan plan;
  plan.lengths = options.lengths;
  plan.per_length = options.per_length;
  const Shared shared = read_shared(options, plan.notes);
  for (const std::string& file : options.networks) {
    ReadNetwork read = read_network(file, options, shared, plan.notes);
    for (const ExtractionOptions& way : ways) {
      for (std::uint64_t repetition = 0; repetition < options.repeat; ++repetition) {
        PlannedExtraction planned{plan.networks.size(), way, {}};
        planned.options.seed += repetition;
        planned.cell = planned_cell(file, read, options, planned.options);
        // Its values are in place; as a preset it would refuse learners and oracles of one's own.
        planned.options.preset = Preset::None;
        planned.options.samples = samples_for(way.method, read.network, options);
        plan.extractions.push_back(std::move(planned));
      }
    }
    plan.networks.push_back(std::move(read.network));
  }
  return plan;
}

}  // namespace rnnalf
