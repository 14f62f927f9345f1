#include "command.hpp"
#include "open_dfa.hpp"
#include "output.hpp"

namespace rnnalf::cli {
namespace {

struct ConvertArguments {
  std::string in;
  std::string out;
  std::optional<DfaFormat> from;  // none: told from the extension
  std::optional<DfaFormat> to;
};

void declare(CommandLine& line, ConvertArguments& arguments) {
  const Choice<DfaFormat> formats{
      {{"dot", DfaFormat::Dot}, {"json", DfaFormat::Json}, {"alf", DfaFormat::Alf}}};
  line.describe(
      "Converts an automaton file. The formats follow the extensions: .dot (Graphviz, as LearnLib "
      "and AALpy read and write it), .json (also a whole extraction), .alf (libalf's text, which "
      "has symbol numbers instead of names). States are numbered breadth first, so equal "
      "automata give equal files. OUT may be - together with --to.",
      "  rnnalf convert examples/networks/tomita3_gru100.target.dot tomita3.alf\n"
      "  rnnalf convert extraction.json - --to dot | dot -Tsvg > dfa.svg\n");
  line.operand("IN", arguments.in);
  line.operand("OUT", arguments.out);
  line.option("from", "FORMAT", "dot, json or alf, whatever IN is called", formats, arguments.from);
  line.option("to", "FORMAT", "dot, json or alf, whatever OUT is called", formats, arguments.to);
}

Exit run(const ConvertArguments& arguments) {
  const Outputs outputs({{"OUT", arguments.out}}, Inputs().add("IN", arguments.in));
  const DfaFormat to = arguments.to ? *arguments.to : dfa_format_of(arguments.out);
  const DfaFormat from = arguments.from ? *arguments.from : dfa_format_of(arguments.in);
  const DfaFile file = open_dfa(arguments.in, from);
  write_output(arguments.out, format_dfa(file.automaton, to));
  return Exit::Done;
}

}  // namespace

Command convert_command() {
  return make_command<ConvertArguments>("convert", "DFA files from one format to another", declare,
                                        run);
}

}  // namespace rnnalf::cli
