#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rnnalf {

/// How many threads are meant: 0 is one per core.
[[nodiscard]] unsigned thread_count(std::uint64_t asked);

/// A few threads that share out independent columns of work. One caller at a time.
class Workers {
 public:
  explicit Workers(unsigned threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Calls work(first, count) for consecutive pieces of at most `piece` that cover [0, total), on
  /// any thread; returns when all are done. An exception of a piece is thrown here.
  ///
  /// Waking a thread takes longer than many a batch, so work is shared only when it is expected to
  /// take long enough, going by what columns took so far. Which thread computes a column changes
  /// nothing but the time.
  void split(std::size_t total, std::size_t piece,
             const std::function<void(std::size_t, std::size_t)>& work);

 private:
  using Work = std::function<void(std::size_t, std::size_t)>;
  void alone(std::size_t first, std::size_t last, std::size_t piece, const Work& work);
  void together(std::size_t first, std::size_t last, std::size_t piece, const Work& work);
  void serve();
  void take_pieces();

  std::vector<std::thread> threads_;
  double column_seconds_ = 0;  // the least that a column was seen to take; 0: none was seen yet
  std::mutex mutex_;
  std::condition_variable start_, done_;
  bool stopping_ = false;
  std::size_t round_ = 0;  // counts calls, so that each thread joins each call once
  std::size_t busy_ = 0;   // threads still in this round
  std::size_t next_ = 0, last_ = 0, piece_ = 1;
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace rnnalf
