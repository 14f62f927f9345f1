#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <libalf/alf.h>

namespace rnnalf {

using Learner = libalf::learning_algorithm<bool>;
using Knowledge = libalf::knowledgebase<bool>;

/// One entry of `rnnalf list learners`.
struct LearnerInfo {
  std::string_view name;
  std::string_view description;  // one line
};

/// All learners, in the order in which they are listed.
[[nodiscard]] std::span<const LearnerInfo> learners();

/// Throws OptionError with the names there are when there is no learner of that name.
void require_learner(std::string_view name);

/// The learner of that name, fresh, over `knowledge`, which must outlive it; without a logger.
/// Throws OptionError with the names there are when there is no such learner.
[[nodiscard]] std::unique_ptr<Learner> make_learner(std::string_view name, Knowledge* knowledge,
                                                    int alphabet_size);

}  // namespace rnnalf
