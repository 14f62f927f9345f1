#pragma once

#include <string>
#include <vector>

#include "rnnalf/plot/drawing.hpp"

namespace rnnalf {

/// White paper of this width, whose height finish_with_notes decides.
[[nodiscard]] Drawing white_paper(double width, const std::string& title);

/// Finishes a drawing on white paper: small sentences below `top`, wrapped, which are its
/// description too.
void finish_with_notes(Drawing& drawing, double top, const std::vector<std::string>& notes);

}  // namespace rnnalf
