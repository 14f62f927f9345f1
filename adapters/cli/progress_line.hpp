#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "rnnalf/base/progress.hpp"
#include "rnnalf/report/text_report.hpp"

namespace rnnalf::cli {

/// `--progress`. Auto: a live line on a terminal, plain lines elsewhere.
enum class ProgressMode : std::uint8_t { Auto, Plain, None };

/// Throws UsageError for anything but auto, plain and none.
[[nodiscard]] ProgressMode parse_progress_mode(std::string_view text);

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

/// While it lives, shows what a run does: on a terminal one line that is rewritten and leaves no
/// trace, elsewhere a plain line now and then. Short runs show nothing. A thread of its own reads
/// `progress`; nothing of the run depends on it. Writes to `descriptor` only.
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
  [[nodiscard]] ProgressSnapshot look();
  void write(const std::string& text) const;

  const Progress& progress_;
  const std::optional<std::chrono::duration<double>> time_limit_;
  const int descriptor_;
  bool live_ = false;
  const Clock::time_point began_ = Clock::now();
  // Where the rate of steps is counted from; moved on now and then, so that it is of the present.
  Clock::time_point rate_from_ = began_;
  std::uint64_t rate_steps_ = 0;
  double rate_ = 0;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;  // guarded by mutex_
  std::thread watcher_;
};

}  // namespace rnnalf::cli
