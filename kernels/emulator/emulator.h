// The emulator inside one process: an object file and descriptors in, observations out.
//
// A launch runs entirely in here. The worker (kernels/worker) calls it in a process of its own,
// with limits. At most one launch runs at a time in a process.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/arch/raw_arguments.h"
#include "kernels/emulator/memory/program_memory.h"
#include "kernels/emulator/module/module.h"

namespace histolab::kernels::emulator {

struct ModuleInfo {
  std::vector<Diagnostic> diagnostics;  // reasons why the kernel cannot be launched; else empty
  std::map<std::string, std::uint32_t> exports;
  std::uint64_t static_shared_bytes = 0;
  std::vector<UsedVariable> variables;  // variables of the file that the kernel uses by address
};

// An Argument (kernels/device.h) whose bytes are in the file `fd`. Sizes and `offset` are in bytes.
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

// The compiler's output for a kernel.
struct Code {
  std::span<const std::uint8_t> object;
  std::vector<WideAccess> wide_accesses;
  std::vector<int> local_lines{};  // ModuleOptions::local_lines
};

// Does the one-time work of the first launch in advance. For a process that forks one process per
// launch.
void prepare();

// Loads the kernel without running it. Diagnostics of the kernel are in the result. Returns an
// Error only if the machine fails, for example if the window cannot be reserved.
[[nodiscard]] Result<ModuleInfo> inspect(std::span<const std::uint8_t> object,
                                         const KernelSignature& signature);

// See Device::launch for the contract. Installs signal handlers and runs the kernel on a thread of
// its own. If threads may have written the same value to one address, all launches run a second
// time, slower, to find out. Returns an Error only if the machine fails.
[[nodiscard]] Result<std::vector<Observation>> run(
    const Code& code, const KernelSignature& signature, const LaunchConfig& config,
    const std::vector<std::vector<MappedArgument>>& launches, const Options& options);

// One launch of a kernel of a whole CUDA program.
struct ProgramLaunch {
  std::string kernel;  // its mangled name, as in the object file
  LaunchConfig config;
  RawArguments arguments;
  ProgramMemory memory;
  // Files in these folders are not the user's: the shim and the system's headers. Not empty.
  std::vector<std::string> library_folders;
  bool for_debugger = false;  // the object was compiled for a debugger
};

struct ProgramObservation {
  Observation observation;
  std::vector<WrittenState> written;       // per allocation, after the launch
  std::chrono::microseconds processor{0};  // time of the worker; set by its caller
};

// Runs one launch as run() does. `object` is a device object of the program. Findings have a file,
// and a kernel that cannot be loaded is a finding. Returns an Error if the machine fails, or the
// memory is not valid.
[[nodiscard]] Result<ProgramObservation> run_program_kernel(std::span<const std::uint8_t> object,
                                                            const ProgramLaunch& launch,
                                                            const Options& options);

}  // namespace histolab::kernels::emulator
