#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "rnnalf/run/run.hpp"

// Pieces of JSON that several reports are made of; not installed, because users need not have
// nlohmann-json.
namespace rnnalf::detail {

using OrderedJson = nlohmann::ordered_json;

/// An array of symbol strings; the empty word is [].
[[nodiscard]] OrderedJson word_json(const Alphabet& alphabet, WordView word);

/// The options by name; whole numbers without a fraction.
[[nodiscard]] OrderedJson options_json(const std::vector<UsedOption>& options);
/// Those of a run, with the network's own options.
[[nodiscard]] OrderedJson options_json(const Run& run);

[[nodiscard]] OrderedJson network_json(const NetworkSummary& network);
/// What was looked at, as data, and the sentence about it.
[[nodiscard]] OrderedJson evidence_json(const Alphabet& alphabet, const Evidence& evidence);
/// true for accept, false for reject; of more than two answers the number of the class.
[[nodiscard]] OrderedJson answer_json(Answer answer, std::size_t answers);
[[nodiscard]] OrderedJson answer_json(const std::optional<Answer>& answer, std::size_t answers);
[[nodiscard]] OrderedJson exception_json(const NetworkSummary& network,
                                         const Counterexample& record);
[[nodiscard]] OrderedJson counterexample_json(const NetworkSummary& network,
                                              const Counterexample& record);
/// The symbols that lead to the same state from every state, together: an array of arrays of names.
/// Null where every symbol acts in its own way.
[[nodiscard]] OrderedJson symbol_classes_json(const Alphabet& alphabet, const Dfa& dfa);
/// The symbols that one of them stood for while learning, together, that one first.
[[nodiscard]] OrderedJson symbol_groups_json(const Alphabet& alphabet, const SymbolGroups& groups);
/// Shares by length, of some lengths up to the longest.
[[nodiscard]] OrderedJson agreement_json(const std::vector<LengthAgreement>& by_length);
[[nodiscard]] OrderedJson proof_json(const Alphabet& alphabet, const Certification& found,
                                     const std::optional<std::string>& file);
[[nodiscard]] OrderedJson family_json(const NetworkSummary& network, const Family& family);
[[nodiscard]] OrderedJson statistics_json(const RunStatistics& statistics);

/// On one line; bytes that are no UTF-8 (file names may have such) become U+FFFD.
[[nodiscard]] std::string one_line(const OrderedJson& json);

}  // namespace rnnalf::detail
