#include "progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <new>
#include <vector>

#include "rnnalf/report/printable.hpp"
#include "rnnalf/report/quantities.hpp"
#include "terminal.hpp"

namespace rnnalf::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstLive{300};
constexpr milliseconds kBetweenLive{100};
// When plain lines are written: the first one soon, to show that the program works, the others
// after longer and longer pauses.
constexpr std::array kPlain = {milliseconds{1900}, milliseconds{10'000}, milliseconds{30'000}};
constexpr milliseconds kBetweenPlain{60'000};

std::string short_number(double number) {
  constexpr std::array<const char*, 4> units = {"", "k", "M", "G"};
  std::size_t unit = 0;
  while (number >= 999.5 && unit + 1 < units.size()) {
    number /= 1e3;
    ++unit;
  }
  return unit > 0 && number < 9.95 ? fmt::format("{:.1f}{}", number, units[unit])
                                   : fmt::format("{:.0f}{}", number, units[unit]);
}

std::string whole_seconds(double seconds) {
  return seconds < 99.5 ? fmt::format("{} s", std::lround(std::max(seconds, 0.0)))
                        : format_seconds(seconds);
}

}  // namespace

void add_progress_options(CommandLine& line, const ProgressHelp& help, ProgressMode& mode,
                          bool& quiet) {
  const Choice<ProgressMode> modes{
      {{"auto", ProgressMode::Auto}, {"plain", ProgressMode::Plain}, {"none", ProgressMode::None}}};
  line.option("progress", "M", help.progress, modes, mode);
  line.flag("quiet", help.quiet, quiet);
  line.check([&mode, &quiet] {
    if (quiet) mode = ProgressMode::None;
  });
}

std::string progress_text(const ProgressSnapshot& snapshot, const TextStyle& style) {
  struct Part {
    std::string text;
    int importance;
  };
  std::vector<Part> parts = {
      {whole_seconds(snapshot.seconds), 4},
      {"round " + format_count(snapshot.rounds), 6},
      {counted(snapshot.states, "state", "states"), 7},
      {counted(snapshot.a_states, "A-state", "A-states"), 1},
      {counted(snapshot.queries, "query", "queries"), 3},
      {short_number(snapshot.steps_per_second) + " steps/s", 2},
      {printable(snapshot.activity, style.utf8), 8},
  };
  if (snapshot.seconds_left) parts.push_back({whole_seconds(*snapshot.seconds_left) + " left", 5});

  const std::string separator = style.utf8 ? " · " : ", ";
  while (true) {
    std::string text;
    for (const Part& part : parts) text += (text.empty() ? "" : separator) + part.text;
    if (display_width(text) <= style.width || parts.size() == 1) return text;
    parts.erase(std::min_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      return a.importance < b.importance;
    }));
  }
}

ProgressLine::ProgressLine(const Progress& progress,
                           std::optional<std::chrono::duration<double>> time_limit,
                           ProgressMode mode, int descriptor)
    : progress_(progress), time_limit_(time_limit), descriptor_(descriptor) {
  if (mode == ProgressMode::None) return;
  const char* const term = std::getenv("TERM");
  const bool can_rewrite = term != nullptr && std::string_view(term) != "dumb";
  live_ = mode == ProgressMode::Auto && is_terminal(descriptor) && can_rewrite;
  // The main thread must receive Ctrl-C, so that a read that it waits in ends with EINTR.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::exception&) {
    // The system allows no more threads, or has no memory: the run continues without progress.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (watcher_.joinable()) watcher_.join();
}

void ProgressLine::watch() {
  try {
    show_until_over();
  } catch (const std::bad_alloc&) {
    // Memory is for the run: it continues without progress.
  }
}

void ProgressLine::show_until_over() {
  bool shown = false;
  std::size_t plain_lines = 0;
  Clock::time_point next = began_ + (live_ ? kFirstLive : kPlain[0]);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_until(lock, next, [this] { return over_; })) {
    TextStyle style = text_style(descriptor_);  // asked each time: the size may change
    if (live_) {
      style.width -= style.width > 1 ? 1 : 0;  // a full last column makes some terminals wrap
      write("\r" + progress_text(look(), style) + "\033[K");
      next = Clock::now() + kBetweenLive;
    } else {
      write("rnnalf: " + progress_text(look(), {.width = 200, .utf8 = style.utf8}) + "\n");
      ++plain_lines;
      next = plain_lines < kPlain.size() ? began_ + kPlain[plain_lines] : next + kBetweenPlain;
    }
    shown = true;
  }
  if (shown && live_) write("\r\033[K");
}

ProgressSnapshot ProgressLine::look() {
  const Clock::time_point now = Clock::now();
  const auto seconds = [](Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  };
  const auto relaxed = std::memory_order_relaxed;
  const std::uint64_t steps = progress_.steps.load(relaxed);
  const double since = seconds(now - rate_from_);
  if (since >= 1 || rate_from_ == began_) {
    rate_ = steps > rate_steps_ && since > 0 ? static_cast<double>(steps - rate_steps_) / since : 0;
    if (since >= 1) {
      rate_from_ = now;
      rate_steps_ = steps;
    }
  }
  ProgressSnapshot snapshot{.seconds = seconds(now - began_),
                            .rounds = progress_.rounds.load(relaxed),
                            .states = progress_.states.load(relaxed),
                            .a_states = progress_.a_states.load(relaxed),
                            .queries = progress_.queries.load(relaxed),
                            .steps_per_second = rate_,
                            .activity = progress_.activity.load(relaxed),
                            .seconds_left = std::nullopt};
  if (time_limit_) {
    snapshot.seconds_left = std::max(time_limit_->count() - seconds(now - began_), 0.0);
  }
  return snapshot;
}

/// Where progress cannot be written, the run continues without it.
void ProgressLine::write(const std::string& text) const {
  if (::write(descriptor_, text.data(), text.size()) < 0) return;
}

}  // namespace rnnalf::cli
