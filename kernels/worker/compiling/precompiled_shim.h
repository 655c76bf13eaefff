// PrecompiledShim: the CUDA shim in g++'s fastest form, for commands that compile many kernels
// (docs/emulator.md, "From a `.cu` to a launch").
//
// The same compiler makes it with the same flags, in a sandbox. Meanwhile the first compilations
// run without it. Objects and messages are the same with it, to the byte; a compilation with other
// flags passes over it.
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

  // For compiling(). Empty if it is not there yet, cannot be had here, or was dropped. From any
  // thread.
  [[nodiscard]] std::string folder() const;
  // The same, once that is known.
  [[nodiscard]] std::string wait() const;
  // Compilations do without it from now on: g++ cannot read it any more.
  void drop() const { is_dropped_ = true; }

 private:
  mutable std::atomic<bool> is_dropped_ = false;
  std::shared_future<std::optional<TemporaryFolder>> made_;  // whose destructor waits for it
};

}  // namespace histolab::kernels::worker
