// The observers that judge one access by itself: bounds, alignment, writes to what may only be read, local memory.
#pragma once

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

// An access outside of every variable: named by the variable it was most likely meant for, to the element.
class BoundsObserver final : public Observer {
 public:
  explicit BoundsObserver(LaunchContext& context) : context_(context) {}
  void on_stray_access(const StrayAccess& access) override;

 private:
  LaunchContext& context_;
};

// A store or an atomic into a buffer that the kernel may only read, or into __constant__ memory.
// Records the bytes of an input that are read.
class InputObserver final : public Observer {
 public:
  explicit InputObserver(LaunchContext& context) : context_(context) {}
  void on_access(const WarpAccess& access) override;

 private:
  LaunchContext& context_;
};

// An access of 2, 4, 8 or 16 bytes whose address is not a multiple of its width.
class AlignmentObserver final : public Observer {
 public:
  explicit AlignmentObserver(LaunchContext& context) : context_(context) {}
  void on_access(const WarpAccess& access) override;

 private:
  LaunchContext& context_;
};

// What is local to a thread: a GPU's atomic functions do not work there, and another thread's cannot be reached, since the
// same address is each thread's own.
class LocalObserver final : public Observer {
 public:
  explicit LocalObserver(LaunchContext& context) : context_(context) {}
  void on_local_access(const WarpAccess& access) override;

 private:
  LaunchContext& context_;
};

}  // namespace histolab::kernels::emulator
