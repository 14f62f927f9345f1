#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rnnalf/base/option_names.hpp"
#include "rnnalf/run/run.hpp"

// What reports say, as complete sentences. The text for a terminal, the page, the JSON and Python
// show the same ones.
namespace rnnalf {

/// How words and options are shown to a reader.
struct Reader {
  std::size_t width = 48;  ///< columns that a word may take
  bool utf8 = true;        ///< characters beyond ASCII
  Spelling spelling = Spelling::CommandLine;
};

/// The name of an answer: "accept", "reject", the name of a class, or without names "class 3".
[[nodiscard]] std::string answer_name(Answer answer, std::size_t answers,
                                      const ClassNames& classes);
[[nodiscard]] std::string answer_name(Answer answer, const NetworkSummary& network);

/// What a network or an automaton does: "accepts", "rejects" or "answers class 3".
[[nodiscard]] std::string answer_verb(Answer answer, const NetworkSummary& network);

/// How each word w is passed to the network: "Each word w is passed to the network as <s> w </s>.";
/// empty where it is passed as it is.
[[nodiscard]] std::string presentation_sentence(const NetworkSummary& network);

/// The finding: "A 5-state automaton agrees with the network on all words tested of up to 24
/// symbols."
[[nodiscard]] std::string verdict_sentence(const Run& run);

/// Whether the result was checked, to the end, and nothing refutes it. Only then it is shown in
/// green.
[[nodiscard]] bool is_unrefuted(const Run& run);

/// How the result relates to the target; empty without one.
[[nodiscard]] std::string target_sentence(const Run& run, const Reader& reader);

/// Words of one kind, and on how many of them automaton and network agree.
struct AgreementRow {
  std::string words;  ///< which, such as "random words of 25 to 100 symbols"
  LengthAgreement agreement;
};
[[nodiscard]] std::vector<AgreementRow> agreement_rows(const Run& run);
/// `100 %` only when no word differs.
[[nodiscard]] std::string percent(const LengthAgreement& at);

/// A bound that holds at every length up to the horizon at once.
[[nodiscard]] std::string confidence_sentence(const Run& run);

/// Words on which network and automaton differ: one word, or a pattern of words.
struct Difference {
  std::string pattern;  ///< "0^k 111, k >= 7"
  std::string network;  ///< what the network does with them
  std::string automaton;
  std::size_t words = 0;  ///< that the pattern explains; 0: it is one word
};
/// "The network differs from the automaton on 50 words found so far. The shortest has 23 symbols.";
/// empty when none was found.
[[nodiscard]] std::string differences_sentence(const Run& run);
/// The rules first, then words that no rule explains; of either at most `most`.
[[nodiscard]] std::vector<Difference> differences(const Run& run, std::size_t most,
                                                  const Reader& reader);

/// "The network is wrong on 8 of the 12 counterexamples. The shortest:"
[[nodiscard]] std::string network_errors_sentence(const Run& run, std::size_t errors);

/// What a reader must know to use the result: how words are passed, what was assumed about the
/// network, classes, symbols that act alike.
[[nodiscard]] std::vector<std::string> remarks(const Run& run, const Reader& reader);

/// What the run took.
[[nodiscard]] std::string work_sentence(const Run& run);

/// Why learning stopped.
[[nodiscard]] std::string ending_sentence(const Run& run);

/// What to do next, with the exact option; empty when there is nothing to advise.
[[nodiscard]] std::string advice(const Run& run, const Reader& reader);

}  // namespace rnnalf
