#include "rnnalf/pytorch/state_dict_reader.hpp"

#include "rnnalf/base/errors.hpp"
#include "rnnalf/pytorch/torch_file.hpp"

namespace rnnalf {

bool looks_like_state_dict(std::span<const std::byte> bytes) {
  if (bytes.size() < 2) return false;
  const auto first = std::to_integer<unsigned>(bytes[0]);
  const auto second = std::to_integer<unsigned>(bytes[1]);
  const bool zip = first == 'P' && second == 'K';
  const bool pickle = first == 0x80 && second >= 2 && second <= 5;
  return zip || pickle;
}

NetworkSpec read_state_dict(std::span<const std::byte> bytes, const std::string& file,
                            const ReadOptions& options) {
  if (!looks_like_state_dict(bytes)) {
    throw NetworkFileError(file, "expected a file of torch.save, found other data");
  }
  return tensors::network_from_tensors(pytorch::recurrent_tensors(bytes, file), bytes.size(), file,
                                       options);
}

}  // namespace rnnalf
