// Certificates: any text is refused with one line, or it is a proof. The network is small and
// fixed; its hash is put in, so that the fuzzer gets past it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "../support/certified_networks.hpp"
#include "check/check.hpp"
#include "rnnalf/network/fingerprint.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rnnalf;
  static const NetworkSpec network = support::last_letter_network();
  static const Dfa dfa = support::last_letter_dfa();
  std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto at = text.find("HASH"); at != std::string::npos) {
    text.replace(at, 4, fingerprint(network));
  }
  try {
    const check::Theorem theorem = check::check(network, dfa, text);
    if (!(theorem.margin > 0)) std::abort();
  } catch (const check::Refused& refused) {
    if (std::string(refused.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
