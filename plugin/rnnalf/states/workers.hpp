#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rnnalf {

/// A few threads that share out independent columns of work. One caller at a time.
class Workers {
 public:
  explicit Workers(unsigned threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Calls work(first, count) for consecutive pieces of at most `piece` that cover [0, total), on
  /// any thread; returns when all are done. An exception of a piece is thrown here.
  void split(std::size_t total, std::size_t piece,
             const std::function<void(std::size_t, std::size_t)>& work);

 private:
  void serve();
  void take_pieces();

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  bool stopping_ = false;
  std::size_t round_ = 0;  // counts calls, so that each thread joins each call once
  std::size_t busy_ = 0;   // threads still in this round
  std::size_t next_ = 0, total_ = 0, piece_ = 1;
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace rnnalf
