#include "interrupt.hpp"

#include <atomic>
#include <csignal>

#include "output.hpp"

namespace rnnalf::cli {
namespace {

std::atomic<Budget*> interruptible = nullptr;  // what the next signal interrupts
static_assert(std::atomic<Budget*>::is_always_lock_free, "used in a signal handler");

extern "C" void end_at_signal(int signal) {
  remove_temporary_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void interrupt_at_signal(int signal) {
  if (Budget* const budget = interruptible.exchange(nullptr)) {
    budget->interrupt();
  } else {
    end_at_signal(signal);
  }
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Without SA_RESTART: a read that waits for input ends with EINTR and we can stop.
  ::sigemptyset(&action.sa_mask);
  struct sigaction found {};
  ::sigaction(signal, nullptr, &found);
  if (found.sa_handler == SIG_IGN) return;  // as nohup and `&` in scripts ask
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void clean_up_on_signals() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal, interrupt_at_signal);
  for (const int signal : {SIGQUIT, SIGPIPE, SIGXCPU}) handle(signal, end_at_signal);
}

InterruptOnSignal::InterruptOnSignal(Budget& budget) {
  interruptible.store(&budget);
}

InterruptOnSignal::~InterruptOnSignal() {
  interruptible.store(nullptr);
}

}  // namespace rnnalf::cli
