#pragma once

#include "rnnalf/base/errors.hpp"
#include "rnnalf/base/suggestion.hpp"

namespace rnnalf::cli {

/// A command line that cannot be understood; exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace rnnalf::cli
