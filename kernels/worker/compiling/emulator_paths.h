// EmulatorPaths: the parts of its environment that the emulator needs to compile and run kernels,
// each in its own process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/cancellation.h"

namespace histolab::kernels {

namespace worker {
class WorkerPool;
class Confinement;
class Debugger;
class PrecompiledShim;
}  // namespace worker

struct EmulatorPaths {
  std::string worker;       // path of histolab-worker
  std::string include_dir;  // folder of the CUDA shim
  std::string compiler = "g++";
  // Cancels all work of the device; borrowed. Null if it cannot be cancelled.
  const Cancellation* cancellation = nullptr;
  // Compiles and launches kernels for this debugger; borrowed. Usually null.
  worker::Debugger* debugger = nullptr;
  // Sandbox of the compiler, and of the device's own `worker_pool`; borrowed. Null = limits only.
  const worker::Confinement* confinement = nullptr;
  std::shared_ptr<worker::WorkerPool> worker_pool = {};  // worker pool; null = the device's own
  // Precompiled shim for callers that compile many kernels; null = none.
  std::shared_ptr<const worker::PrecompiledShim> shim = {};
};

// Memory limit in bytes for the process of one launch: stacks of lanes, logs and shadow memory. The
// buffers are the grader's and do not count. A process that needs more ends.
inline constexpr std::uint64_t most_memory_of_launch = 3ull << 30;
inline constexpr std::uint64_t most_memory_of_compiler = 1ull << 30;  // also in bytes

}  // namespace histolab::kernels
