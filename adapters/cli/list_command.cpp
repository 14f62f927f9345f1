#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "command.hpp"
#include "rnnalf/base/text.hpp"
#include "rnnalf/libalf/learners.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/oracle/oracle_chain.hpp"
#include "rnnalf/report/text_table.hpp"
#include "terminal.hpp"

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
      const std::string range =
          parameter.range.empty() ? "" : fmt::format(" ({})", parameter.range);
      table.row({fmt::format("  :{}={}", parameter.name, parameter.default_value),
                 parameter.meaning + range});
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

// ---------------------------------------------------------------- options, for docs/options.md

std::string cell_text(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string in_code(const std::string& text) {
  return text.empty() ? "" : fmt::format("`{}`", text);
}

std::string markdown_table(const std::vector<OptionText>& options, std::string_view before) {
  std::string text = "| option | meaning | range | default |\n|---|---|---|---|\n";
  for (const OptionText& one : options) {
    const std::string value = one.value.empty() ? "" : " " + one.value;
    text += fmt::format("| `{}{}{}` | {} | {} | {} |\n", before, one.name, cell_text(value),
                        cell_text(one.help), one.range, cell_text(in_code(one.default_value)));
  }
  return text;
}

std::string oracles_section() {
  std::string text =
      "## Oracles\n\n"
      "Parameters stand behind the name of an oracle: `random:per-length=1000:max-length=40`.\n";
  for (const OracleKind& kind : oracle_kinds()) {
    text += fmt::format("\n`{}`: {}\n\n", kind.name, kind.summary);
    std::vector<OptionText> parameters;
    for (const OracleParameter& one : kind.parameters) {
      parameters.push_back({one.name, "", one.meaning, one.range, one.default_value});
    }
    text += markdown_table(parameters, "");
  }
  std::vector<OptionText> common;
  for (const OptionField<OracleOptions>& field : OracleOptions::table()) {
    common.push_back({field.name, "", field.help, field.range});
  }
  return text + "\nEvery oracle:\n\n" + markdown_table(common, "");
}

std::string option_lines() {
  std::vector<OptionText> about_networks;
  for (const auto& field : NetworkOptions::table()) {
    about_networks.push_back(text_of(field, NetworkOptions()));
  }
  const auto is_about_network = [&](const OptionText& option) {
    return std::any_of(about_networks.begin(), about_networks.end(),
                       [&](const OptionText& one) { return one.name == option.name; });
  };
  std::vector<std::string> with_network;
  std::string sections;
  for (const Command& command : commands()) {
    if (command.hidden) continue;
    CommandLine line{std::string(command.name)};
    static_cast<void>(command.declare(line));
    std::vector<OptionText> options = line.options();
    if (std::erase_if(options, is_about_network) > 0) {
      with_network.push_back(fmt::format("`{}`", command.name));
    }
    if (options.empty()) continue;
    sections += fmt::format("\n## rnnalf {}\n\n{}", command.name, markdown_table(options, "--"));
  }
  return fmt::format(
      "# Options\n\n"
      "Made by `rnnalf list options`. In Python the same options are keyword arguments, "
      "`max-states` "
      "is `max_states`; in\nthe file of a study they are keys (`rnnalf study keys`).\n\n"
      "## Networks\n\n"
      "Of {}:\n\n{}{}\n{}",
      fmt::join(with_network, ", "), markdown_table(about_networks, "--"), sections,
      oracles_section());
}

struct Topic {
  std::string_view name;
  std::string (*lines)();
};

constexpr std::array kTopics = {Topic{"learners", learner_lines}, Topic{"oracles", oracle_lines},
                                Topic{"formats", format_lines}, Topic{"options", option_lines}};

struct ListArguments {
  std::string topic;
};

const Topic& topic_of(const std::string& wanted) {
  std::vector<std::string_view> names;
  for (const Topic& topic : kTopics) {
    if (topic.name == wanted) return topic;
    names.push_back(topic.name);
  }
  throw UsageError(fmt::format("expected learners, oracles, formats or options, found {}{}",
                               in_quotes(wanted), suggestion("", wanted, names)));
}

void declare(CommandLine& line, ListArguments& arguments) {
  line.describe(
      "Prints names with one line each: what --learner and --oracle accept (an oracle's parameters "
      "with their defaults below it), and the file formats; or all options of all commands as "
      "Markdown.",
      "  rnnalf list learners\n"
      "  rnnalf list oracles\n");
  line.operand("learners|oracles|formats|options", arguments.topic);
  line.check([&arguments] { static_cast<void>(topic_of(arguments.topic)); });
}

Exit run(const ListArguments& arguments) {
  print(topic_of(arguments.topic).lines());
  return Exit::Done;
}

}  // namespace

Command list_command() {
  return make_command<ListArguments>(
      "list", "the names of what there is to choose from, one line each", declare, run);
}

}  // namespace rnnalf::cli
