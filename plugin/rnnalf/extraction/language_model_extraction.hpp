#pragma once

#include "rnnalf/base/budget.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/language_model/language_model.hpp"
#include "rnnalf/run/language_model_run.hpp"
#include "rnnalf/teacher/learner.hpp"

namespace rnnalf {

/// The use case: a PDFA from a language model. The default method grows a tree of contexts and fits
/// the automaton to the network's probabilities of words; the baselines are those of MethodSpec.
/// With `max_states` the result has at most this many; without, as many as are worth it. Of the
/// options also method, learner (for `quant`), time limit, seed and threads count; `samples` are
/// words on which the result is measured. Throws OptionError for a method that makes no PDFA.
[[nodiscard]] LanguageModelRun extract_language_model(const LanguageModel& model,
                                                      const Learners& learners,
                                                      const ExtractionOptions& options,
                                                      const Budget& budget = Budget(),
                                                      Progress* progress = nullptr);

/// Learns the Moore machine of the model's classes of distributions, intervals of `width`, with a
/// learner: exact where the classes tell all distributions apart. Fewer states than `max_states`
/// of the options, where it ends there.
[[nodiscard]] Pdfa learn_distribution_classes(const LanguageModel& model, const Learners& learners,
                                              double width, const ExtractionOptions& options,
                                              const Budget& budget, Progress& progress);

}  // namespace rnnalf
