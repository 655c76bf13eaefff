// Observers that judge each access independently: bounds, alignment, writes to read-only memory,
// local memory.
#pragma once

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

// Reports accesses outside of every variable. The finding names the variable and element that were
// most likely meant.
class BoundsObserver final : public Observer {
 public:
  explicit BoundsObserver(LaunchContext& context) : context_(context) {}
  void on_stray_access(const StrayAccess& access) override;

 private:
  LaunchContext& context_;
};

// Reports stores and atomic operations in read-only buffers and __constant__ memory. Also records
// the bytes of an input that are read.
class InputObserver final : public Observer {
 public:
  explicit InputObserver(LaunchContext& context) : context_(context) {}
  void on_access(const WarpAccess& access) override;

 private:
  LaunchContext& context_;
};

// Reports accesses of 2, 4, 8 or 16 bytes whose address is not a multiple of their width.
class AlignmentObserver final : public Observer {
 public:
  explicit AlignmentObserver(LaunchContext& context) : context_(context) {}
  void on_access(const WarpAccess& access) override;

 private:
  LaunchContext& context_;
};

// Reports invalid uses of local memory. On a GPU atomic functions do not work there. A thread
// cannot reach another one's local memory, because the same address means its own.
class LocalObserver final : public Observer {
 public:
  explicit LocalObserver(LaunchContext& context) : context_(context) {}
  void on_local_access(const WarpAccess& access) override;

 private:
  LaunchContext& context_;
};

}  // namespace histolab::kernels::emulator
