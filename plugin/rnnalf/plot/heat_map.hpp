#pragma once

#include <string>
#include <vector>

#include "rnnalf/plot/drawing.hpp"

namespace rnnalf {

/// A table whose entries are boxes, the darker the larger their share.
struct HeatMap {
  struct Cell {
    double share = 0;       ///< from 0 to 1
    std::string text = {};  ///< in the box
  };

  std::string title = {};
  std::string rows_title = {};
  std::string columns_title = {};
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};      ///< their names are written upwards
  std::vector<std::vector<Cell>> cells = {};  ///< for each row one for each column
  std::vector<std::string> notes = {};        ///< where the data came from; wrapped
};

[[nodiscard]] Drawing draw(const HeatMap& map);

}  // namespace rnnalf
