#include "rnnalf/acceptor/network.hpp"

#include "rnnalf/acceptor/presented_acceptor.hpp"

namespace rnnalf {

Network make_network(const NetworkSpec& spec, Precision precision, std::optional<bool> empty_word,
                     const Tokens& tokens) {
  auto acceptor = make_acceptor(spec, precision);
  if (tokens.none()) return {summary(spec), std::move(acceptor), empty_word};
  Presentation presentation = present(tokens, spec.alphabet, spec.file);
  NetworkSummary said = summary(spec, presentation);
  return {std::move(said), make_presented_acceptor(std::move(acceptor), std::move(presentation)),
          empty_word};
}

}  // namespace rnnalf
