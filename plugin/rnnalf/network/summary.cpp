#include "rnnalf/network/summary.hpp"

#include "rnnalf/network/layer_step.hpp"

namespace rnnalf {

NetworkSummary summary(const NetworkSpec& spec) {
  if (spec.word_graph) {
    return {.file = spec.file,
            .cell = "whole words",
            .hidden = spec.word_graph->features,
            .state_size = spec.state_size(),
            .answers = spec.answer_count(),
            .classes = spec.answer_count() > 2 ? spec.classes : ClassNames(),
            .alphabet = spec.alphabet,
            .assumed = spec.assumed,
            .whole_words = true,
            .probes = spec.probes.size()};
  }
  const auto stack = stack_of(spec.step);
  return {.file = spec.file,
          .cell = stack               ? std::string(name(stack->cell))
                  : spec.cell.empty() ? "step graph"
                                      : spec.cell,
          .layers = stack ? stack->layers.size() : 0,
          .hidden = stack ? stack->layers.back().hidden : spec.step.readout_size(),
          .state_size = spec.state_size(),
          .answers = spec.answer_count(),
          .classes = spec.answer_count() > 2 ? spec.classes : ClassNames(),
          .alphabet = spec.alphabet,
          .assumed = spec.assumed,
          .probes = spec.probes.size()};
}

NetworkSummary summary(const NetworkSpec& spec, const Presentation& presentation) {
  NetworkSummary result = summary(spec);
  std::vector<bool> shown(spec.alphabet.size(), false);
  const auto names = [&](const std::vector<Symbol>& symbols) {
    std::vector<std::string> list;
    for (const Symbol symbol : symbols) {
      shown[index(symbol)] = true;
      list.push_back(spec.alphabet.name(symbol));
    }
    return list;
  };
  result.begin = names(presentation.begin);
  result.end = names(presentation.end);
  names(presentation.over);
  result.alphabet = presentation.alphabet;
  for (std::size_t a = 0; a < shown.size(); ++a) {
    if (!shown[a]) result.left_out.push_back(spec.alphabet.name(static_cast<Symbol>(a)));
  }
  return result;
}

}  // namespace rnnalf
