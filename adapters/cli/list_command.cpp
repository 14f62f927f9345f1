#include <fmt/format.h>

#include <array>

#include "command.hpp"
#include "output.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"
#include "rnnalf/report/text_table.hpp"

namespace rnnalf::cli {
namespace {

TextTable two_columns() {
  return TextTable({Align::Left, Align::Left});
}

std::string learner_lines() {
  TextTable table = two_columns();
  for (const LearnerInfo& learner : learners()) {
    table.row(
        {std::string(learner.name),
         fmt::format("{}{}", learner.description, learner.moore ? "; Moore machines too" : "")});
  }
  return table.text();
}

std::string oracle_lines() {
  TextTable table = two_columns();
  for (const OracleKind& kind : oracle_kinds()) {
    table.row({std::string(kind.name), std::string(kind.summary)});
    for (const OracleParameter& parameter : kind.parameters) {
      table.row({fmt::format("  :{}={}", parameter.name, parameter.default_value),
                 std::string(parameter.meaning)});
    }
  }
  return table.text();
}

std::string format_lines() {
  TextTable table = two_columns();
  table.row({"onnx", "network: ONNX, as torch.onnx.export writes it"});
  table.row({"state_dict",
             "network: PyTorch's torch.save of a state_dict, a checkpoint or a model; "
             "torch.jit.save"});
  table.row({"safetensors", "network: a state_dict as .safetensors"});
  table.row({"keras", "network: Keras' model.save as .h5 or .keras"});
  table.row({"dot", "DFA: Graphviz, as LearnLib/AutomataLib and AALpy read and write it"});
  table.row({"json", "DFA: the \"dfa\" object of an extraction, or a whole extraction"});
  table.row({"alf", "DFA: the text of libalf's finite_automaton::write"});
  return table.text();
}

struct Topic {
  std::string_view name;
  std::string (*lines)();
};

constexpr std::array kTopics = {Topic{"learners", learner_lines}, Topic{"oracles", oracle_lines},
                                Topic{"formats", format_lines}};

struct Arguments {
  std::string topic;
};

const Topic& topic_of(const std::string& wanted) {
  std::vector<std::string_view> names;
  for (const Topic& topic : kTopics) {
    if (topic.name == wanted) return topic;
    names.push_back(topic.name);
  }
  throw UsageError(fmt::format("expected learners, oracles or formats, found {}{}",
                               in_quotes(wanted), suggestion("", wanted, names)));
}

void declare(CommandLine& line, Arguments& arguments) {
  line.describe(
      "Prints names with one line each: what --learner and --oracle accept (an oracle's parameters "
      "with their defaults below it), and the file formats.",
      "  rnnalf list learners\n"
      "  rnnalf list oracles\n");
  line.operand("learners|oracles|formats", arguments.topic);
  line.check([&arguments] { static_cast<void>(topic_of(arguments.topic)); });
}

Exit run(const Arguments& arguments) {
  write_output("-", topic_of(arguments.topic).lines());
  return Exit::Done;
}

}  // namespace

Command list_command() {
  return make_command("list", "the names of what there is to choose from, one line each", declare,
                      run);
}

}  // namespace rnnalf::cli
