#include "command.hpp"
#include "open_dfa.hpp"
#include "output.hpp"

namespace rnnalf::cli {
namespace {

DfaFormat format(const Arguments& arguments, const std::string& option, const std::string& path) {
  const auto name = arguments.value(option);
  if (!name) return dfa_format_of(path);
  const auto known = dfa_format_from_name(*name);
  if (!known) {
    throw UsageError("--" + option + ": expected dot, json or alf, found '" + *name + "'");
  }
  return *known;
}

Exit run(const Arguments& arguments) {
  const std::string& in = arguments.operands[0];
  const std::string& out = arguments.operands[1];
  const DfaFormat to = format(arguments, "to", out);
  const DfaFile file = open_dfa(in, format(arguments, "from", in));
  write_output(out, format_dfa(file.automaton, to));
  return Exit::Done;
}

}  // namespace

Command convert_command() {
  return {
      {.name = "convert",
       .operands = "IN OUT",
       .least_operands = 2,
       .most_operands = 2,
       .summary = "DFA files from one format to another",
       .description =
           "Converts an automaton file. The formats follow the extensions: .dot (Graphviz, as "
           "LearnLib and AALpy read and write it), .json (also a whole extraction), .alf "
           "(libalf's text, which has letter numbers instead of symbols). States are numbered "
           "breadth first, so equal automata give equal files. OUT may be - together with --to.",
       .options = {{"from", "FORMAT", "dot, json or alf, whatever IN is called"},
                   {"to", "FORMAT", "dot, json or alf, whatever OUT is called"}},
       .examples = "  rnnalf convert examples/networks/tomita3_gru100.target.dot tomita3.alf\n"
                   "  rnnalf convert extraction.json - --to dot | dot -Tsvg > dfa.svg\n"},
      run};
}

}  // namespace rnnalf::cli
