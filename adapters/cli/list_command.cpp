#include <array>

#include "command.hpp"
#include "output.hpp"

namespace rnnalf::cli {
namespace {

struct Entry {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array kFormats = {
    Entry{"onnx", "network: ONNX, as torch.onnx.export writes it"},
    Entry{"state_dict", "network: PyTorch's torch.save(model.state_dict(), ...)"},
    Entry{"dot", "DFA: Graphviz, as LearnLib/AutomataLib and AALpy read and write it"},
    Entry{"json", "DFA: the \"dfa\" object of an extraction, or a whole extraction"},
    Entry{"alf", "DFA: the text of libalf's finite_automaton::write"}};

struct Topic {
  std::string_view name;
  std::span<const Entry> entries;
};

constexpr std::array kTopics = {Topic{"formats", kFormats}};

Exit run(const Arguments& arguments) {
  const std::string& wanted = arguments.operands[0];
  std::vector<std::string_view> names;
  for (const Topic& topic : kTopics) {
    names.push_back(topic.name);
    if (topic.name != wanted) continue;
    std::string text;
    for (const Entry& entry : topic.entries) {
      std::string left(entry.name);
      left.resize(18, ' ');
      text += left + std::string(entry.meaning) + "\n";
    }
    write_output("-", text);
    return Exit::Done;
  }
  std::string expected;
  for (const std::string_view name : names) {
    expected += (expected.empty() ? "" : " or ") + std::string(name);
  }
  throw UsageError("expected " + expected + ", found '" + wanted + "'" +
                   suggestion("", wanted, names));
}

}  // namespace

Command list_command() {
  return {{.name = "list",
           .operands = "formats",
           .least_operands = 1,
           .most_operands = 1,
           .summary = "the names of what there is to choose from, one line each",
           .description = "Prints names with one line each.",
           .options = {},
           .examples = "  rnnalf list formats\n"},
          run};
}

}  // namespace rnnalf::cli
