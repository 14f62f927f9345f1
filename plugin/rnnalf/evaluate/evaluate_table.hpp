#pragma once

#include <vector>

#include "rnnalf/base/option_table.hpp"
#include "rnnalf/evaluate/evaluate.hpp"

namespace rnnalf {

/// Name, range and help of the fields of EvaluateOptions that users can choose; given words are not
/// among them, they need an alphabet.
[[nodiscard]] const std::vector<OptionField<EvaluateOptions>>& evaluate_table();

}  // namespace rnnalf
