#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "output.hpp"
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

std::string layer_sizes(const NetworkSpec& spec) {
  std::vector<std::size_t> sizes;
  for (const RecurrentLayer& layer : spec.layers) sizes.push_back(layer.hidden);
  return fmt::format("{}", fmt::join(sizes, ", "));
}

std::string cell(const NetworkSpec& spec) {
  return spec.step ? fmt::format("step graph of {} operations", spec.step->step.size())
                   : std::string(name(spec.cell));
}

/// Such as "2, hidden size 50, 50", or of a step graph "states of size 50, 50".
std::string layers(const NetworkSpec& spec) {
  if (!spec.step) {
    return fmt::format("{}, hidden size {}", spec.layers.size(), layer_sizes(spec));
  }
  std::vector<std::size_t> sizes;
  for (const StepState& state : spec.step->states) sizes.push_back(state.size);
  return fmt::format("states of size {}", fmt::join(sizes, ", "));
}

std::string input(const NetworkSpec& spec) {
  if (spec.step) return "part of the step";
  return spec.embedding ? fmt::format("embedding of width {}", spec.embedding->cols) : "one-hot";
}

/// Such as "mean over time of 100 -> 20 relu -> 2 softmax, class 1 (positive) accepts".
std::string head(const NetworkSpec& spec) {
  std::string text =
      spec.head_from == HeadFrom::Last ? "" : fmt::format("{} over time of ", name(spec.head_from));
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
  json["cell"] = spec.step ? "step graph" : name(spec.cell);
  json["layers"] = spec.layers.size();
  json["hidden"] = nlohmann::ordered_json::array();
  for (const RecurrentLayer& layer : spec.layers) json["hidden"].push_back(layer.hidden);
  json["embedding"] = spec.embedding ? nlohmann::ordered_json(spec.embedding->cols) : nullptr;
  json["alphabet"] = spec.alphabet.names();
  json["begin"] = network.network.summary.begin;
  json["end"] = network.network.summary.end;
  json["over"] = network.network.summary.alphabet.names();
  json["head_from"] = name(spec.head_from);
  json["head"] = head(spec);
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
  const std::vector<std::string>& symbols = spec.alphabet.names();
  TextTable table({Align::Left, Align::Left});
  const std::string beside =
      spec.beside.empty() ? "" : fmt::format(", with {}", fmt::join(spec.beside, ", "));
  table.row({"file", fmt::format("{} ({}{})", spec.file, kind_of(network.format, spec), beside)});
  table.row({"cell", cell(spec)});
  table.row({"layers", layers(spec)});
  table.row({"input", input(spec)});
  table.row({"alphabet", fmt::format("{} symbols: {}", symbols.size(), fmt::join(symbols, " "))});
  const std::string shown = presentation_sentence(network.network.summary);
  if (!shown.empty()) table.row({"words", shown});
  table.row({"head", head(spec)});
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
