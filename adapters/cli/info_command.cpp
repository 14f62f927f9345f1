#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "output.hpp"
#include "rnnalf/network/layer_step.hpp"
#include "rnnalf/networks/open_network.hpp"
#include "rnnalf/report/sentences.hpp"
#include "rnnalf/report/text_table.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

struct InfoArguments {
  std::string file;
  NetworkOptions network;
  std::optional<std::string> json;
};

/// Such as "2, hidden size 50, 50", or where the layers are no equal ones "states of size 50, 50".
std::string layers(const NetworkSpec& spec, const std::optional<LayerStack>& stack) {
  if (spec.word_graph) return "part of the operations";
  std::vector<std::size_t> sizes;
  if (stack) {
    for (const RecurrentLayer& layer : stack->layers) sizes.push_back(layer.hidden);
    return fmt::format("{}, hidden size {}", sizes.size(), fmt::join(sizes, ", "));
  }
  for (const StepState& state : spec.step.states) sizes.push_back(state.size);
  return fmt::format("states of size {}", fmt::join(sizes, ", "));
}

std::string cell(const OpenNetwork& network) {
  const std::string& found = network.network.summary.cell;
  const NetworkSpec& spec = network.spec();
  const std::size_t operations =
      spec.word_graph ? spec.word_graph->nodes.size() : spec.step.step.size();
  return network.network.summary.layers > 0 ? found
                                            : fmt::format("{} of {} operations", found, operations);
}

std::string input(const std::optional<LayerStack>& stack) {
  if (!stack) return "part of the step";
  return stack->embedding ? fmt::format("embedding of width {}", stack->embedding->cols)
                          : "one-hot";
}

/// Such as "mean over time of 100 -> 20 relu -> 2 softmax, class 1 (positive) accepts".
std::string head(const NetworkSpec& spec, const std::optional<LayerStack>& stack) {
  std::string text = stack && stack->head_from != std::vector<HeadFrom>{HeadFrom::Last}
                         ? fmt::format("{} over time of ", names(stack->head_from))
                         : "";
  text += fmt::format("{}", spec.head.front().weights.cols);
  for (const DenseLayer& dense : spec.head) {
    if (dense.normalise) text += " normalised";
    text += fmt::format(" -> {}", dense.weights.rows);
    if (dense.activation != Activation::None) text += fmt::format(" {}", name(dense.activation));
  }
  if (spec.output != rnnalf::Output::Raw) text += fmt::format(" {}", name(spec.output));
  if (spec.output_count() == 1) return text + ", accepts above 0.5";
  if (spec.answer_count() > 2) return text + fmt::format(", {} classes", spec.answer_count());
  const std::size_t accept = spec.accept_class.value_or(1);
  text += fmt::format(", class {}", accept);
  if (!spec.classes.empty()) text += fmt::format(" ({})", spec.classes.names()[accept]);
  return text + " accepts";
}

/// Who named the classes.
std::string named_by(const InfoArguments& arguments) {
  return arguments.network.read.classes ? "--classes" : "the file";
}

nlohmann::ordered_json as_json(const OpenNetwork& network, const InfoArguments& arguments) {
  const NetworkSpec& spec = network.spec();
  nlohmann::ordered_json json;
  json["format"] = "rnnalf.network/1";
  json["file"] = spec.file;
  json["file_format"] = kind_of(network.format, spec);
  if (!spec.beside.empty()) json["beside"] = spec.beside;
  const auto stack = stack_of(spec.step);
  json["cell"] = network.network.summary.cell;
  json["layers"] = network.network.summary.layers;
  json["hidden"] = nlohmann::ordered_json::array();
  if (stack) {
    for (const RecurrentLayer& layer : stack->layers) json["hidden"].push_back(layer.hidden);
  }
  json["embedding"] = nullptr;
  if (stack && stack->embedding) json["embedding"] = stack->embedding->cols;
  json["alphabet"] = spec.alphabet.names();
  json["begin"] = network.network.summary.begin;
  json["end"] = network.network.summary.end;
  json["over"] = network.network.summary.alphabet.names();
  json["head_from"] = stack ? names(stack->head_from) : "last";
  json["head"] = head(spec, stack);
  json["assumed"] = spec.assumed;
  json["outputs"] = spec.output_count();
  json["classes"] = spec.answer_count();
  json["class_names"] = spec.classes.names();
  json["class_names_from"] = nullptr;
  if (!spec.classes.empty()) json["class_names_from"] = named_by(arguments);
  json["state_size"] = spec.state_size();
  json["parameters"] = spec.parameter_count();
  json["subnormal_weights"] = spec.subnormal_weights;
  json["probes_passed"] = spec.probes.size();
  return json;
}

std::string as_text(const OpenNetwork& network, const InfoArguments& arguments) {
  const NetworkSpec& spec = network.spec();
  const auto stack = stack_of(spec.step);
  const std::vector<std::string>& symbols = spec.alphabet.names();
  TextTable table({Align::Left, Align::Left});
  const std::string beside =
      spec.beside.empty() ? "" : fmt::format(", with {}", fmt::join(spec.beside, ", "));
  table.row({"file", fmt::format("{} ({}{})", spec.file, kind_of(network.format, spec), beside)});
  table.row({"cell", cell(network)});
  table.row({"layers", layers(spec, stack)});
  table.row({"input", input(stack)});
  table.row({"alphabet", fmt::format("{} symbols: {}", symbols.size(), fmt::join(symbols, " "))});
  const std::string shown = presentation_sentence(network.network.summary);
  if (!shown.empty()) table.row({"words", shown});
  table.row({"head", head(spec, stack)});
  if (!spec.classes.empty()) {
    table.row({"classes", fmt::format("{} (named by {})", fmt::join(spec.classes.names(), " "),
                                      named_by(arguments))});
  }
  for (const std::string& assumed : spec.assumed) {
    table.row({"assumed",
               fmt::format("{} (the file does not say it; {})", assumed,
                           spec.probes.empty() ? "check it with --probes" : "the probes agree")});
  }
  table.row({"state size", fmt::format("{}", spec.state_size())});
  table.row({"parameters", fmt::format("{}", spec.parameter_count())});
  if (spec.subnormal_weights > 0) {
    table.row({"subnormal", fmt::format("{} numbers below 1.2e-38 in size are read as 0",
                                        spec.subnormal_weights)});
  }
  table.row(
      {"probes", spec.probes.empty() ? "none" : fmt::format("{} passed", spec.probes.size())});
  return table.text();
}

void declare(CommandLine& line, InfoArguments& arguments) {
  line.describe(
      "Reads a network file (ONNX, PyTorch, safetensors or Keras, told from the content), runs the "
      "probes it carries and prints what it holds and what is assumed of it.",
      "  rnnalf info examples/networks/tomita3_gru100.onnx\n"
      "  rnnalf info model.pt --cell elman-tanh --alphabet ab --json -\n"
      "  rnnalf info model.pt --head-from mean --probes probes.json\n"
      "  rnnalf info model.pt --classes 'negative neutral positive'\n"
      "  rnnalf info model.pt --vocabulary vocabulary.json --begin '<s>' --end '</s>'\n");
  line.operand("NET", arguments.file);
  line.options(NetworkOptions::table(), arguments.network);
  line.option("json", "FILE", "write JSON; - is standard output", arguments.json);
}

Exit run(const InfoArguments& arguments) {
  const Outputs outputs({{"--json", arguments.json}},
                        Inputs().add("NET", arguments.file).add(arguments.network));
  const OpenNetwork network = open_network(arguments.file, arguments.network);
  if (arguments.json) {
    using Handler = nlohmann::ordered_json::error_handler_t;
    write_output(*arguments.json,
                 as_json(network, arguments).dump(2, ' ', false, Handler::replace) + "\n");
  }
  if (arguments.json != "-") print(as_text(network, arguments));
  return Exit::Done;
}

}  // namespace

Command info_command() {
  return make_command<InfoArguments>(
      "info", "what a network file holds: cell, layers, alphabet, head, probes", declare, run);
}

}  // namespace rnnalf::cli
