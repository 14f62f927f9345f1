#include <nlohmann/json.hpp>

#include "command.hpp"
#include "network_options.hpp"
#include "output.hpp"
#include "units.hpp"

namespace rnnalf::cli {
namespace {

std::string layer_sizes(const NetworkSpec& spec) {
  std::string text;
  for (const RecurrentLayer& layer : spec.layers) {
    text += (text.empty() ? "" : ", ") + std::to_string(layer.hidden);
  }
  return text;
}

std::string cell(const NetworkSpec& spec) {
  return spec.step ? "step graph of " + std::to_string(spec.step->step.size()) + " operations"
                   : std::string(name(spec.cell));
}

/// Such as "2, hidden size 50, 50", or of a step graph "states of size 50, 50".
std::string layers(const NetworkSpec& spec) {
  if (!spec.step) return std::to_string(spec.layers.size()) + ", hidden size " + layer_sizes(spec);
  std::string sizes;
  for (const StepState& state : spec.step->states) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(state.size);
  }
  return "states of size " + sizes;
}

std::string input(const NetworkSpec& spec) {
  if (spec.step) return "part of the step";
  return spec.embedding ? "embedding of width " + std::to_string(spec.embedding->cols) : "one-hot";
}

/// Such as "mean over time of 100 -> 20 relu -> 2 softmax, class 1 accepts".
std::string head(const NetworkSpec& spec) {
  std::string text =
      spec.head_from == HeadFrom::Last ? "" : std::string(name(spec.head_from)) + " over time of ";
  text += std::to_string(spec.head.front().weights.cols);
  for (std::size_t i = 0; i < spec.head.size(); ++i) {
    const DenseLayer& dense = spec.head[i];
    if (dense.normalise) text += " normalised";
    text += " -> " + std::to_string(dense.weights.rows);
    if (dense.activation != Activation::None) text += " " + std::string(name(dense.activation));
  }
  if (spec.output != rnnalf::Output::Raw) text += " " + std::string(name(spec.output));
  return text + (spec.output_count() == 1
                     ? ", accepts above 0.5"
                     : ", class " + std::to_string(spec.accept_class.value_or(1)) + " accepts");
}

nlohmann::ordered_json as_json(const OpenNetwork& network) {
  const NetworkSpec& spec = network.spec;
  nlohmann::ordered_json json;
  json["format"] = "rnnalf.network/1";
  json["file"] = spec.file;
  json["file_format"] = name(network.format);
  json["cell"] = spec.step ? "step graph" : name(spec.cell);
  json["layers"] = spec.layers.size();
  json["hidden"] = nlohmann::ordered_json::array();
  for (const RecurrentLayer& layer : spec.layers) json["hidden"].push_back(layer.hidden);
  json["embedding"] = spec.embedding ? nlohmann::ordered_json(spec.embedding->cols) : nullptr;
  json["alphabet"] = spec.alphabet.names();
  json["head_from"] = name(spec.head_from);
  json["head"] = head(spec);
  json["assumed"] = spec.assumed;
  json["outputs"] = spec.output_count();
  json["state_size"] = spec.state_size();
  json["parameters"] = spec.parameter_count();
  json["subnormal_weights"] = spec.subnormal_weights;
  json["probes_passed"] = spec.probes.size();
  return json;
}

std::string as_text(const OpenNetwork& network) {
  const NetworkSpec& spec = network.spec;
  std::string alphabet;
  for (const std::string& symbol : spec.alphabet.names()) alphabet += " " + symbol;
  std::string text;
  const auto row = [&](std::string name, const std::string& value) {
    name.resize(12, ' ');
    text += name + value + "\n";
  };
  row("file", spec.file + " (" + std::string(name(network.format)) + ")");
  row("cell", cell(spec));
  row("layers", layers(spec));
  row("input", input(spec));
  row("alphabet", std::to_string(spec.alphabet.size()) + " symbols:" + alphabet);
  row("head", head(spec));
  for (const std::string& assumed : spec.assumed) {
    row("assumed", assumed + " (the file does not say it" +
                       (spec.probes.empty() ? "; check it with --probes)" : "; the probes agree)"));
  }
  row("state size", std::to_string(spec.state_size()));
  row("parameters", std::to_string(spec.parameter_count()));
  if (spec.subnormal_weights > 0) {
    row("subnormal",
        std::to_string(spec.subnormal_weights) + " numbers below 1.2e-38 in size are read as 0");
  }
  row("probes", spec.probes.empty() ? "none" : std::to_string(spec.probes.size()) + " passed");
  return text;
}

Exit run(const Arguments& arguments) {
  const NetworkOptions options = network_options(arguments);
  const OpenNetwork network = open_network(arguments.operands[0], options);
  const auto json = arguments.value("json");
  if (json) {
    using Handler = nlohmann::ordered_json::error_handler_t;
    write_output(*json, as_json(network).dump(2, ' ', false, Handler::replace) + "\n");
  }
  if (json != "-") write_output("-", as_text(network));
  return Exit::Done;
}

}  // namespace

Command info_command() {
  return {{.name = "info",
           .operands = "NET",
           .least_operands = 1,
           .most_operands = 1,
           .summary = "what a network file holds: cell, layers, alphabet, head, probes",
           .description =
               "Reads a network file (ONNX, PyTorch, safetensors or Keras, told from the content), "
               "runs the probes it carries and prints what it holds and what is assumed of it.",
           .options = with_network_options({{"json", "FILE", "write JSON; - is standard output"}}),
           .examples = "  rnnalf info examples/networks/tomita3_gru100.onnx\n"
                       "  rnnalf info model.pt --cell elman-tanh --alphabet ab --json -\n"
                       "  rnnalf info model.pt --head-from mean --probes probes.json\n"},
          run};
}

}  // namespace rnnalf::cli
