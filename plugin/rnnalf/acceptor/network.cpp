#include "rnnalf/acceptor/network.hpp"

#include <fmt/core.h>

#include <utility>

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf {

Network make_network(NetworkSpec given, Precision precision, std::optional<Answer> empty_word,
                     const Tokens& tokens) {
  const auto shared = std::make_shared<const NetworkSpec>(std::move(given));
  const NetworkSpec& spec = *shared;
  if (empty_word && index(*empty_word) >= spec.answer_count()) {
    throw NetworkFileError(spec.file, fmt::format("empty word: expected a class below {}, found {}",
                                                  spec.answer_count(), index(*empty_word)));
  }
  auto acceptor = make_acceptor(spec, precision);
  if (tokens.none() && spec.padding.empty())
    return {summary(spec), std::move(acceptor), empty_word, shared};
  Presentation presentation = present(tokens, spec.alphabet, spec.file, spec.padding);
  NetworkSummary said = summary(spec, presentation);
  return {std::move(said), make_presented_acceptor(std::move(acceptor), std::move(presentation)),
          empty_word, shared};
}

}  // namespace rnnalf
