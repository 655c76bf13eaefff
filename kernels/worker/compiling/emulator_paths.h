// EmulatorPaths: the parts of its surroundings that the emulator needs to compile kernels and to
// run them, each in a process of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/cancellation.h"

namespace histolab::kernels {

namespace worker {
class Cells;
class Confinement;
class Debugger;
class PrecompiledShim;
}  // namespace worker

struct EmulatorPaths {
  std::string worker;       // histolab-worker
  std::string include_dir;  // the CUDA shim
  std::string compiler = "g++";
  const Cancellation* cancellation = nullptr;  // of all that the device does; borrowed; null: it goes on to the end
  // Kernels are compiled for this one, and their launches run under it; borrowed. Mostly there is none.
  worker::Debugger* debugger = nullptr;
  const worker::Confinement* confinement = nullptr;  // of the compiler, and of `cells` where they are not given; borrowed; null: limits only
  std::shared_ptr<worker::Cells> cells = {};  // who runs kernels; null: the device's own
  std::shared_ptr<const worker::PrecompiledShim> shim = {};  // for who compiles many kernels; null: none
  bool spreads_launches = true;  // large ones, over the processor's cores; false where others keep those busy
};

// Bytes that the process of one launch may take: the lanes' stacks, logs and shadow memory; buffers are the grader's own. It ends where it wants more.
inline constexpr std::uint64_t most_memory_of_launch = 3ull << 30;
inline constexpr std::uint64_t most_memory_of_compiler = 1ull << 30;  // likewise

}  // namespace histolab::kernels
