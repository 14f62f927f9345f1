#include "watched.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace rnnalf::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBetweenLooks{100};

/// What happened on the calling thread while the work went on.
class Looks {
 public:
  Looks(Budget& budget, const Progress& progress, const py::object& on_progress)
      : budget_(budget), progress_(progress), on_progress_(on_progress) {}

  /// With the lock held.
  void look() {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!on_progress_.is_none() && !raised_) on_progress_(snapshot());
    } catch (py::error_already_set& error) {
      const bool first_interrupt = !interrupted_ && error.matches(PyExc_KeyboardInterrupt);
      if (!first_interrupt && !raised_) raised_ = std::current_exception();
      interrupted_ = true;
      budget_.interrupt();
    }
  }

  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  [[nodiscard]] py::dict snapshot() const {
    py::dict now;
    now["seconds"] = std::chrono::duration<double>(Clock::now() - began_).count();
    now["rounds"] = progress_.rounds.load();
    now["states"] = progress_.states.load();
    now["a_states"] = progress_.a_states.load();
    now["queries"] = progress_.queries.load();
    now["steps"] = progress_.steps.load();
    now["activity"] = progress_.activity.load();
    return now;
  }

  Budget& budget_;
  const Progress& progress_;
  const py::object& on_progress_;
  Clock::time_point began_ = Clock::now();
  bool interrupted_ = false;
  std::exception_ptr raised_;
};

}  // namespace

void watched(const std::function<void()>& work, Budget& budget, const Progress& progress,
             const py::object& on_progress) {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;
  Looks looks(budget, progress, on_progress);
  {
    const py::gil_scoped_release release;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kBetweenLooks, [&] { return done; })) {
      lock.unlock();  // the work may need the interpreter lock to end
      {
        const py::gil_scoped_acquire acquire;
        looks.look();
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  looks.rethrow();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rnnalf::python
