#include "interrupt.hpp"

#include <csignal>

namespace rnnalf::cli {
namespace {

std::atomic<Budget*> interrupted_budget = nullptr;
static_assert(std::atomic<Budget*>::is_always_lock_free, "used in a signal handler");

extern "C" void on_signal(int) {
  if (Budget* const budget = interrupted_budget.load()) budget->interrupt();
}

void install(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction found {};
    ::sigaction(signal, nullptr, &found);
    if (found.sa_handler == SIG_IGN) continue;  // as nohup and `&` in scripts ask
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

InterruptOnSignal::InterruptOnSignal(Budget& budget) {
  interrupted_budget.store(&budget);
  // Without SA_RESTART: a read that waits for input ends with EINTR and we can stop.
  install(on_signal, static_cast<int>(SA_RESETHAND));
}

InterruptOnSignal::~InterruptOnSignal() {
  install(SIG_DFL, 0);
  interrupted_budget.store(nullptr);
}

}  // namespace rnnalf::cli
