#include "rnnalf/states/workers.hpp"

#include <algorithm>

namespace rnnalf {

Workers::Workers(unsigned threads) {
  for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::split(std::size_t total, std::size_t piece,
                    const std::function<void(std::size_t, std::size_t)>& work) {
  // Waking a thread costs as much as some dozen columns.
  constexpr std::size_t worth_sharing = 64;
  if (threads_.empty() || total < worth_sharing) {
    for (std::size_t first = 0; first < total; first += piece)
      work(first, std::min(piece, total - first));
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    next_ = 0;
    total_ = total;
    // Every thread gets a share even when one piece would hold everything.
    piece_ = std::min(piece, (total + threads_.size()) / (threads_.size() + 1));
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
      if (next_ >= total_ || failure_) return;
      first = next_;
      count = std::min(piece_, total_ - next_);
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
