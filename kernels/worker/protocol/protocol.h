// The grader's requests to a worker and its answers, as JSON of a fixed shape.
//
// Neither side trusts the other's bytes: parsing never throws. An answer of any other shape is an
// Error, which the client turns into a verdict about the kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/emulator/emulator.h"
#include "kernels/program/description/description.h"

namespace histolab::kernels::worker {

inline constexpr int request_descriptor = 3;
inline constexpr int object_descriptor = 4;
inline constexpr int first_buffer_descriptor = 5;
inline constexpr int debugged_answer_descriptor = 63;  // used if a debugger has stdout

struct Request {
  std::vector<KernelSignature> signatures;  // to inspect; exactly one for a launch
  bool launch = false;                      // false = inspect only
  LaunchConfig config;
  // Options::live is sent as a descriptor: the one of Live::buffer(), or -1 if it is unused.
  Options options;
  int live_descriptor = -1;
  std::vector<std::vector<emulator::MappedArgument>> launches;
  std::vector<emulator::WideAccess> wide_accesses;
  std::vector<int> local_lines;
  // A launch of a program's kernel; the fields above except `options` do not count then. The
  // descriptors in its memory are the worker's.
  std::optional<emulator::ProgramLaunch> program = std::nullopt;
  // The object is a program's executable: describe it. Its files outside these folders are the
  // user's. The fields above do not count.
  std::optional<std::vector<std::string>> describes_program = std::nullopt;
  // Data limit in bytes that the worker sets for itself before the kernel runs, or 0. Used under a
  // debugger: if the parent set the limit, it would apply to the debugger, too.
  std::uint64_t own_data_limit = 0;
};

struct Answer {
  std::string machine_error;                  // not empty if the machine failed, not the kernel
  std::vector<emulator::ModuleInfo> modules;  // per inspected signature, in the same order
  std::vector<Observation> observations;
  std::vector<emulator::WrittenState> written = {};  // of a program's allocations
  std::optional<program::ProgramDescription> description = std::nullopt;
};

// The _from functions return an Error if the text is not of the agreed shape.
[[nodiscard]] std::string to_text(const Request& request);
[[nodiscard]] Result<Request> request_from(std::string_view text);
[[nodiscard]] std::string to_text(const Answer& answer);
[[nodiscard]] Result<Answer> answer_from(std::string_view text);

}  // namespace histolab::kernels::worker
