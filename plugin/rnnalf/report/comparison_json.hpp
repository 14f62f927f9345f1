#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rnnalf/report/comparison.hpp"

namespace rnnalf {

/// A cell as one line of JSON, without a line feed.
[[nodiscard]] std::string cell_json(const ComparisonCell& cell);

/// The cell of such a line; none for any other text, such as half a line.
[[nodiscard]] std::optional<ComparisonCell> parse_cell(std::string_view line);

/// What the cell is, without what came out: cells with the same key are the same extraction.
[[nodiscard]] std::string cell_key(const ComparisonCell& cell);
/// The same without the seed: repetitions have this in common.
[[nodiscard]] std::string row_key(const ComparisonCell& cell);

/// `{"format": "rnnalf.comparison/1", "program", "command", "cells": [...]}`, a line for each cell.
[[nodiscard]] std::string comparison_json(const Comparison& comparison);

}  // namespace rnnalf
