#pragma once

#include <string>

#include "rnnalf/base/errors.hpp"

namespace rnnalf::support {

/// What the error says that `call` throws; "accepted" when it throws none.
template <class Thrown = Error, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Thrown& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace rnnalf::support
