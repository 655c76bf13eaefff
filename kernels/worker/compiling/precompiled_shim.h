// PrecompiledShim: the CUDA shim in g++'s precompiled form, for commands that compile many kernels.
// It is made in the background, by the same sandboxed compiler with the same flags. Objects and
// messages stay the same to the byte. A compilation with other flags ignores it. See
// docs/emulator.md, "From a `.cu` to a launch".
#pragma once

#include <atomic>
#include <future>
#include <optional>
#include <string>

#include "kernels/worker/compiling/emulator_paths.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::kernels::worker {

class PrecompiledShim {
 public:
  explicit PrecompiledShim(const EmulatorPaths& paths);
  PrecompiledShim(const PrecompiledShim&) = delete;
  PrecompiledShim& operator=(const PrecompiledShim&) = delete;

  // Returns the folder for compiling(). Empty if it is not ready yet, cannot be made here, or was
  // dropped. Thread-safe.
  [[nodiscard]] std::string folder() const;
  // Waits until it is ready or known to be impossible, and returns the same.
  [[nodiscard]] std::string wait() const;
  // Stops using it, because g++ can no longer read it.
  void drop() const { is_dropped_ = true; }

 private:
  mutable std::atomic<bool> is_dropped_ = false;
  std::shared_future<std::optional<TemporaryFolder>> made_;  // its destructor waits
};

}  // namespace histolab::kernels::worker
