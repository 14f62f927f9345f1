#include <array>

#include "command.hpp"
#include "output.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"

namespace rnnalf::cli {
namespace {

/// One line: a name and what it means.
std::string line(std::string_view name, std::string_view meaning, std::size_t indent = 0) {
  std::string text = std::string(indent, ' ') + std::string(name);
  text.resize(std::max<std::size_t>(text.size() + 2, 26), ' ');
  return text + std::string(meaning) + "\n";
}

std::string learner_lines() {
  std::string text;
  for (const LearnerInfo& learner : learners()) text += line(learner.name, learner.description);
  return text;
}

std::string oracle_lines() {
  std::string text;
  for (const OracleKind& kind : oracle_kinds()) {
    text += line(kind.name, kind.summary);
    for (const OracleParameter& parameter : kind.parameters) {
      text += line(":" + parameter.name + "=" + parameter.default_value, parameter.meaning, 2);
    }
  }
  return text;
}

std::string format_lines() {
  return line("onnx", "network: ONNX, as torch.onnx.export writes it") +
         line("state_dict",
              "network: PyTorch's torch.save of a state_dict, a checkpoint or a model; "
              "torch.jit.save") +
         line("safetensors", "network: a state_dict as .safetensors") +
         line("keras", "network: Keras' model.save as .h5 or .keras") +
         line("dot", "DFA: Graphviz, as LearnLib/AutomataLib and AALpy read and write it") +
         line("json", "DFA: the \"dfa\" object of an extraction, or a whole extraction") +
         line("alf", "DFA: the text of libalf's finite_automaton::write");
}

struct Topic {
  std::string_view name;
  std::string (*lines)();
};

constexpr std::array kTopics = {Topic{"learners", learner_lines}, Topic{"oracles", oracle_lines},
                                Topic{"formats", format_lines}};

Exit run(const Arguments& arguments) {
  const std::string& wanted = arguments.operands[0];
  std::vector<std::string_view> names;
  for (const Topic& topic : kTopics) {
    names.push_back(topic.name);
    if (topic.name != wanted) continue;
    write_output("-", topic.lines());
    return Exit::Done;
  }
  throw UsageError("expected learners, oracles or formats, found '" + wanted + "'" +
                   suggestion("", wanted, names));
}

}  // namespace

Command list_command() {
  return {{.name = "list",
           .operands = "learners|oracles|formats",
           .least_operands = 1,
           .most_operands = 1,
           .summary = "the names of what there is to choose from, one line each",
           .description =
               "Prints names with one line each: what --learner and --oracle accept (an oracle's "
               "parameters with their defaults below it), and the file formats.",
           .options = {},
           .examples = "  rnnalf list learners\n"
                       "  rnnalf list oracles\n"},
          run};
}

}  // namespace rnnalf::cli
