// Signals: return control to the runner if a lane crashes or never ends.
#pragma once

#include <memory>

namespace histolab::kernels::emulator {

class BlockRunner;

// While an instance lives, it passes SIGSEGV, SIGBUS, SIGFPE and SIGILL of the calling thread to
// the runner, and the ticks of a timer on its processor time. The runner leaves the lane. A signal
// that no lane caused keeps its default action. Debugged launches have no timer: its handler makes
// single steps, which a debugger would take for its own.
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
