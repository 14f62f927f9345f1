#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "command_line.hpp"
#include "rnnalf/base/progress.hpp"
#include "rnnalf/report/text_report.hpp"

namespace rnnalf::cli {

/// `--progress`. Auto: a live line on a terminal, plain lines elsewhere.
enum class ProgressMode : std::uint8_t { Auto, Plain, None };

/// What `--progress` and `--quiet` do in a command.
struct ProgressHelp {
  std::string progress;
  std::string quiet;
};

/// Declares both; with `--quiet` the mode is None.
void add_progress_options(CommandLine& line, const ProgressHelp& help, ProgressMode& mode,
                          bool& quiet);

/// What a progress line says, at one moment.
struct ProgressSnapshot {
  double seconds = 0;  ///< since the watch began
  std::uint64_t rounds = 0;
  std::uint64_t states = 0;
  std::uint64_t a_states = 0;
  std::uint64_t queries = 0;
  double steps_per_second = 0;
  std::string_view activity;
  std::optional<double> seconds_left;  ///< to the time limit
};

/// The snapshot in at most style.width columns; what matters least is left out first.
[[nodiscard]] std::string progress_text(const ProgressSnapshot& snapshot, const TextStyle& style);

/// Shows what a run does, from construction to destruction: on a terminal in one line that is
/// rewritten and removed at the end, elsewhere in a plain line from time to time. Short runs show
/// nothing. A thread of its own reads `progress`; the run does not depend on it. Writes to
/// `descriptor` only.
class ProgressLine {
 public:
  /// The progress outlives this. The time limit counts from now.
  ProgressLine(const Progress& progress, std::optional<std::chrono::duration<double>> time_limit,
               ProgressMode mode, int descriptor = 2);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  void show_until_over();
  [[nodiscard]] ProgressSnapshot look();
  void write(const std::string& text) const;

  const Progress& progress_;
  const std::optional<std::chrono::duration<double>> time_limit_;
  const int descriptor_;
  bool live_ = false;
  const Clock::time_point began_ = Clock::now();
  // The rate of steps is counted from here; updated every second, so that it is the current rate.
  Clock::time_point rate_from_ = began_;
  std::uint64_t rate_steps_ = 0;
  double rate_ = 0;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;  // guarded by mutex_
  std::thread watcher_;
};

}  // namespace rnnalf::cli
