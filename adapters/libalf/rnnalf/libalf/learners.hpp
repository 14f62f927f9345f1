#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <libalf/alf.h>

namespace rnnalf {

using Knowledge = libalf::knowledgebase<bool>;
/// Of Moore machines: answers are the numbers of classes.
using MooreKnowledge = libalf::knowledgebase<int>;

/// One entry of `rnnalf list learners`.
struct LearnerInfo {
  std::string_view name;
  std::string_view description;  // one line
  bool moore = false;            // whether it learns Moore machines too
};

/// All learners, in the order in which they are listed.
[[nodiscard]] std::span<const LearnerInfo> learners();

/// Throws OptionError with the names there are when there is no learner of that name, or when it
/// does not learn machines with this many answers.
void require_learner(std::string_view name, std::size_t answers = 2);

/// The learner of that name, fresh, over `knowledge`, which must outlive it; without a logger.
/// Throws OptionError with the names there are when there is no such learner.
[[nodiscard]] std::unique_ptr<libalf::learning_algorithm<bool>> make_learner(std::string_view name,
                                                                             Knowledge* knowledge,
                                                                             int alphabet_size);

/// The same for Moore machines.
[[nodiscard]] std::unique_ptr<libalf::learning_algorithm<int>> make_moore_learner(
    std::string_view name, MooreKnowledge* knowledge, int alphabet_size);

}  // namespace rnnalf
