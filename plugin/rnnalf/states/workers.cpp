#include "rnnalf/states/workers.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace rnnalf {

unsigned thread_count(std::uint64_t asked) {
  return asked > 0 ? static_cast<unsigned>(asked)
                   : std::max(1U, std::thread::hardware_concurrency());
}

Workers::Workers(unsigned threads) {
  threads_.reserve(threads);
  try {
    for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // The system allows no more of them: those there are do the work.
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::split(std::size_t total, std::size_t piece, const Work& work) {
  constexpr std::size_t kTrial = 64;
  constexpr double kWorthSharing = 2e-4;  // seconds; a thread is awake after a quarter of it
  std::size_t done = 0;
  if (!threads_.empty() && column_seconds_ == 0) {
    done = std::min(total, kTrial);
    alone(0, done, piece, work);
  }
  const bool share =
      !threads_.empty() && static_cast<double>(total - done) * column_seconds_ >= kWorthSharing;
  if (share) {
    together(done, total, piece, work);
  } else {
    alone(done, total, piece, work);
  }
}

void Workers::alone(std::size_t first, std::size_t last, std::size_t piece, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t count = last - first;
  for (; first < last; first += piece) work(first, std::min(piece, last - first));
  // A few columns take longer each than many.
  if (threads_.empty() || count < 8) return;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const double seconds = took.count() / static_cast<double>(count);
  if (column_seconds_ == 0 || seconds < column_seconds_) column_seconds_ = seconds;
}

void Workers::together(std::size_t first, std::size_t last, std::size_t piece, const Work& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    next_ = first;
    last_ = last;
    // Every thread gets a share even when one piece would hold everything.
    piece_ = std::min(piece, (last - first + threads_.size()) / (threads_.size() + 1));
    busy_ = threads_.size();
    failure_ = nullptr;
    ++round_;
  }
  start_.notify_all();
  take_pieces();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void Workers::take_pieces() {
  while (true) {
    std::size_t first = 0, count = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= last_ || failure_) return;
      first = next_;
      count = std::min(piece_, last_ - next_);
      next_ += count;
    }
    try {
      (*work_)(first, count);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }
}

void Workers::serve() {
  std::size_t served = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stopping_ || round_ != served; });
      if (stopping_) return;
      served = round_;
    }
    take_pieces();
    {
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_all();
    }
  }
}

}  // namespace rnnalf
