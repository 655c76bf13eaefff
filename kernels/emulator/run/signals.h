// Signals: how a lane that crashes or never ends gives the processor back.
//
// While an instance lives, SIGSEGV, SIGBUS, SIGFPE and SIGILL of the calling thread, and a timer on its processor time,
// are handed to the runner, which leaves the lane. A signal that is no lane's fault keeps its default action. The timer can be
// left out: it makes single steps of its own, which a debugger would take for its.
#pragma once

#include <memory>

namespace histolab::kernels::emulator {

class BlockRunner;

class Signals {
 public:
  explicit Signals(BlockRunner& runner, bool with_timer = true);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  std::unique_ptr<char[]> stack_;
};

}  // namespace histolab::kernels::emulator
