#include "rnnalf/study/refutations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "rnnalf/automaton/dfa_file.hpp"
#include "rnnalf/report/sentences.hpp"

namespace rnnalf {
namespace {

/// The network as this row saw it: rows with the same text have the same answers for all words.
std::string network_of(const ComparisonCell& cell) {
  std::string text = cell.network;
  for (const OptionField<NetworkOptions>& field : NetworkOptions::table()) {
    for (const auto& [name, value] : cell.options) {
      if (name == field.name) text += "\n" + name + " " + option_value::text(value);
    }
  }
  return text;
}

/// A word with the network's answer, and the rows that found it.
struct KnownWord {
  Word word;
  std::string answer;
  std::vector<std::size_t> found_by;
};

/// All words that these rows found, shortest first.
std::vector<KnownWord> known_words(const std::vector<StudyRow>& rows,
                                   const std::vector<std::size_t>& of_network,
                                   const Alphabet& alphabet) {
  std::map<std::string, KnownWord> words;
  for (const std::size_t i : of_network) {
    for (const FoundWord& found : rows[i].counterexamples) {
      KnownWord& known = words[found.word];
      if (known.found_by.empty()) known = {alphabet.parse_word(found.word), found.answer, {}};
      if (known.found_by.empty() || known.found_by.back() != i) known.found_by.push_back(i);
    }
  }
  std::vector<KnownWord> result;
  for (auto& [text, known] : words) result.push_back(std::move(known));
  std::stable_sort(result.begin(), result.end(), [](const KnownWord& a, const KnownWord& b) {
    return a.word.size() < b.word.size();
  });
  return result;
}

/// The automaton's answer, as rows have it.
std::string said(const NamedDfa& result, const Word& word) {
  return answer_name(result.dfa.answer(word), result.dfa.answer_count(), result.classes);
}

/// The rows whose words the automaton gets wrong.
std::vector<std::size_t> refuters(const NamedDfa& result, const std::vector<KnownWord>& words) {
  std::set<std::size_t> by;
  for (const KnownWord& known : words) {
    const bool news = std::any_of(known.found_by.begin(), known.found_by.end(),
                                  [&](std::size_t row) { return !by.contains(row); });
    if (!news || said(result, known.word) == known.answer) continue;
    by.insert(known.found_by.begin(), known.found_by.end());
  }
  return {by.begin(), by.end()};
}

bool contradicted(const MeasuredWords& words) {
  return words.agreed < words.words;
}

}  // namespace

bool stands_by_result(const ComparisonCell& cell) {
  return cell.has_result() &&
         (cell.verdict == RunVerdict::NoneFound || cell.verdict == RunVerdict::Complete);
}

std::vector<Refutation> refutations(const std::vector<StudyRow>& rows) {
  std::vector<Refutation> result(rows.size());
  std::map<std::string, std::vector<std::size_t>> networks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ComparisonCell& cell = rows[i].cell;
    if (!cell.has_result()) continue;
    result[i].measured =
        contradicted(cell.uniform()) || (cell.given.has_value() && contradicted(*cell.given));
    if (!rows[i].dfa.empty()) networks[network_of(cell)].push_back(i);
  }
  for (const auto& [network, of_network] : networks) {
    std::vector<KnownWord> words;
    std::map<std::string, std::vector<std::size_t>> judged;  // many rows have the same result
    for (const std::size_t i : of_network) {
      const auto [found, is_new] = judged.try_emplace(rows[i].dfa);
      if (is_new) {
        const NamedDfa result_of = parse_dfa(rows[i].dfa, DfaFormat::Json, network).automaton;
        if (judged.size() == 1) words = known_words(rows, of_network, result_of.alphabet);
        found->second = refuters(result_of, words);
      }
      result[i].by = found->second;
    }
  }
  return result;
}

}  // namespace rnnalf
