#include "kernels/emulator/run/signals.h"

#include <signal.h>
#include <sys/time.h>

#include "kernels/emulator/arch/interrupted_code.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::size_t stack_bytes = 64 * 1024;
constexpr suseconds_t tick_us = 40'000;
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

BlockRunner* active = nullptr;
const char* handlers_stack = nullptr;

void on_fault(int signal, siginfo_t* info, void* context) {
  if (active != nullptr)
    active->on_fault({signal, reinterpret_cast<std::uint64_t>(info->si_addr),
                      instruction_of(context), stack_pointer_of(context), dividend_of(context)});
  ::signal(signal, SIG_DFL);  // not caused by a lane: it comes again, and ends the process
}

// Returns true if a tick interrupted another handler. Such a tick is ignored: the handlers' stack
// is limited, and a handler's steps are not those of a lane.
bool came_in_a_handler(void* context) {
  return stack_pointer_of(context) - reinterpret_cast<std::uint64_t>(handlers_stack) < stack_bytes;
}

void on_tick(int, siginfo_t*, void* context) {
  if (active != nullptr && !came_in_a_handler(context))
    step_by_step(context, active->on_tick(instruction_of(context)));
}

void on_step(int, siginfo_t*, void* context) {
  step_by_step(context, active != nullptr && active->on_step(instruction_of(context)));
}

void install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  // NODEFER: the handler leaves by switching stacks, so the signal must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

void set_timer(suseconds_t interval_us) {
  const itimerval timer{{0, interval_us}, {0, interval_us}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

Signals::Signals(BlockRunner& runner, bool with_timer) : stack_(new char[stack_bytes]) {
  active = &runner;
  stack_t stack{};
  handlers_stack = stack_.get();
  stack.ss_sp = stack_.get();
  stack.ss_size = stack_bytes;
  sigaltstack(&stack, nullptr);
  for (const int fault : faults) install(fault, on_fault);
  if (!with_timer) return;
  install(SIGPROF, on_tick);
  install(SIGTRAP, on_step);
  set_timer(tick_us);
}

Signals::~Signals() {
  set_timer(0);
  ::signal(SIGPROF, SIG_IGN);
  ::signal(SIGTRAP, SIG_DFL);
  for (const int fault : faults) ::signal(fault, SIG_DFL);
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  active = nullptr;
}

}  // namespace histolab::kernels::emulator
