#include "rnnalf/acceptor/network.hpp"

#include "rnnalf/acceptor/presented_acceptor.hpp"
#include "rnnalf/base/errors.hpp"

namespace rnnalf {

Network make_network(const NetworkSpec& spec, Precision precision, std::optional<Answer> empty_word,
                     const Tokens& tokens) {
  if (empty_word && index(*empty_word) >= spec.answer_count()) {
    throw NetworkFileError(spec.file, "empty word: expected a class below " +
                                          std::to_string(spec.answer_count()) + ", found " +
                                          std::to_string(index(*empty_word)));
  }
  auto acceptor = make_acceptor(spec, precision);
  if (tokens.none()) return {summary(spec), std::move(acceptor), empty_word};
  Presentation presentation = present(tokens, spec.alphabet, spec.file);
  NetworkSummary said = summary(spec, presentation);
  return {std::move(said), make_presented_acceptor(std::move(acceptor), std::move(presentation)),
          empty_word};
}

}  // namespace rnnalf
