// Any bytes as a state_dict file: a network that passes its checks, or a NetworkFileError of one
// line; also with options that say what such a file does not.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "rnnalf/base/errors.hpp"
#include "rnnalf/pytorch/pickle.hpp"
#include "rnnalf/pytorch/state_dict_reader.hpp"

using namespace rnnalf;

namespace {

template <class Call>
void one_line(const Call& call) {
  try {
    call();
  } catch (const NetworkFileError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  ReadOptions elman;
  elman.cell = "elman-tanh";
  ReadOptions joined;
  joined.head_from = {HeadFrom::Mean, HeadFrom::Last};
  joined.activations = {{Activation::Relu, 0}};
  for (const ReadOptions& options : {ReadOptions(), elman, joined}) {
    one_line([&] { validate(read_state_dict(bytes, "fuzz", options)); });
  }
  // In a zip file a mutated pickle mostly dies of its checksum, so pickles are tried bare as well.
  one_line([&] { const pytorch::Pickle pickle(bytes, {"fuzz", "pickle", 0}); });
  return 0;
}
