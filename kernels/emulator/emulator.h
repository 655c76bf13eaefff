// The emulator inside one process: an object file and descriptors in, observations out.
//
// Everything of a launch happens here. The worker (kernels/worker) runs it in a process of its own,
// with limits. At most one launch runs at a time in a process.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/module.h"

namespace histolab::kernels::emulator {

struct ModuleInfo {
  std::vector<Diagnostic> diagnostics;  // why the kernel cannot be launched; empty when it can
  std::map<std::string, std::uint32_t> exports;
  std::uint64_t static_shared_bytes = 0;
  std::vector<UsedVariable> variables;  // of the file, whose place in memory the kernel uses
};

// An Argument whose bytes are behind a descriptor.
struct MappedArgument {
  Argument::Kind kind = Argument::Kind::word;
  std::string name;
  std::uint32_t element_bytes = 1;
  std::uint64_t bytes = 0;
  int fd = -1;
  std::uint32_t word = 0;
  bool initialized = true;
  std::uint32_t offset = 0;
};

// How far the blocks of a launch may be spread over processor cores, if that changes nothing but
// time (parallel_launch.h).
struct Spread {
  // Threads and bytes of input together, from which on it is worth it: ten milliseconds and more on one core, of which forking and
  // putting together take one to three.
  static constexpr std::uint64_t worth_it = 512 * 1024;
  [[nodiscard]] static bool is_worth_it(std::uint64_t threads, std::uint64_t input_bytes) { return threads + input_bytes >= worth_it; }
  unsigned processes = 0;  // 0: as many as this process may use cores
  std::uint64_t least_work = worth_it;
  void (*before_kernel)() = nullptr;  // called in each process that is about to run the kernel's code, and may come several times in one
  std::vector<unsigned>* used = nullptr;  // for who wants to know: gets how many processes ran each launch
};

// The compiler's output for a kernel.
struct Code {
  std::span<const std::uint8_t> object;
  std::vector<WideAccess> wide_accesses;
  std::vector<int> local_lines{};  // ModuleOptions::local_lines
};

// Does the first launch's one-time work in advance: for a process that forks one process per
// launch.
void prepare();

// Loads the kernel without running it.
[[nodiscard]] Result<ModuleInfo> inspect(std::span<const std::uint8_t> object, const KernelSignature& signature);

// See Device::launch. Installs signal handlers and uses a thread of its own. If threads may have
// written the same value to one address, everything is run a second time, slower, to find out.
[[nodiscard]] Result<std::vector<Observation>> run(const Code& code, const KernelSignature& signature,
                                                   const LaunchConfig& config,
                                                   const std::vector<std::vector<MappedArgument>>& launches,
                                                   const Options& options, const Spread& spread = {});

}  // namespace histolab::kernels::emulator
