#pragma once

#include <string>

#include "rnnalf/study/results.hpp"

namespace rnnalf {

/// How a job ended, as the process that ran it says.
enum class JobEnd : std::uint8_t {
  Row,          ///< there is a row: a result, or what the job died of
  Interrupted,  ///< somebody asked this process to end: nothing was written, run it again
  NoRow         ///< no row could be written, such as on a full disk; the log says why
};

/// Runs one job of a plan in a process of its own, and waits for it. A job that crashes, that gets
/// no more memory or that does not end in its time becomes a row that says so. Where a row is there
/// already, nothing is run. The child writes what it has to say to the job's log.
///
/// SIGTERM and SIGINT end the child and this call. Must not be called while other threads run.
[[nodiscard]] JobEnd run_job(const StudyResults& results, const std::string& plan,
                             std::size_t index);

/// The command that trains this network, as an argument list. `folder` stands for the new folder
/// that the command writes to.
[[nodiscard]] std::vector<std::string> training_command(const Study& study, const std::string& name,
                                                        const std::string& folder);
/// The same as one line of a shell, for people; {folder} stands for itself.
[[nodiscard]] std::string shown_training(const Study& study, const std::string& name);

/// Whether the job has left what it is for: a row, or a trained network.
[[nodiscard]] bool is_done(const Study& study, const StudyResults& results, const StudyJob& job);

/// The row of a job that has no result: why, in one word and in one sentence.
[[nodiscard]] StudyRow row_without_result(const StudyJob& job, const ComparisonCell& cell,
                                          RunVerdict verdict, const std::string& message);

}  // namespace rnnalf
