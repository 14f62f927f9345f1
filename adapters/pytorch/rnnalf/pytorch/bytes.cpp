#include "rnnalf/pytorch/bytes.hpp"

namespace rnnalf::pytorch {

std::string quoted(std::string_view name) {
  constexpr std::size_t longest = 80;
  std::string text = "'";
  for (const char c : name.substr(0, longest)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (name.size() > longest ? "...'" : "'");
}

}  // namespace rnnalf::pytorch
