#include "command.hpp"
#include "extraction_arguments.hpp"
#include "graphviz.hpp"
#include "open_dfa.hpp"
#include "output.hpp"

namespace rnnalf::cli {
namespace {

constexpr std::chrono::seconds kTimeToDraw{20};

struct DrawArguments {
  std::string in;
  std::string out;
  PictureOptions picture;
};

void declare(CommandLine& line, DrawArguments& arguments) {
  line.describe(
      "Draws an automaton with Graphviz. The extension of OUT selects the format: .svg, .pdf or "
      ".png. Parallel transitions are drawn as one arrow. If the automaton has more than 60 "
      "states, "
      "the 30 with the shortest access words are drawn.",
      "  rnnalf draw examples/networks/tomita3_gru100.target.dot tomita3.pdf\n"
      "  rnnalf draw run.json picture.svg --sinks hidden\n");
  line.operand("DFA", arguments.in);
  line.operand("OUT", arguments.out);
  add_picture_options(line, arguments.picture);
}

Exit run(const DrawArguments& arguments) {
  const Outputs outputs({{"OUT", arguments.out}}, Inputs().add("DFA", arguments.in));
  const PictureFormat format = picture_format_of(arguments.out);
  const DfaFile file = open_dfa(arguments.in);
  write_output(arguments.out,
               picture_of_any(file.automaton, arguments.picture, kTimeToDraw, format));
  return Exit::Done;
}

}  // namespace

Command draw_command() {
  return make_command<DrawArguments>("draw", "draw an automaton as SVG, PDF or PNG", declare, run);
}

}  // namespace rnnalf::cli
