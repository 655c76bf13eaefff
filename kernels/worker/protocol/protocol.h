// The grader's requests to a worker and its answers, as JSON of a fixed shape.
//
// Neither side trusts the other's bytes: parsing never throws, and an answer that is not exactly of this shape is an
// Error, which the client turns into a verdict about the kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/emulator/emulator.h"

namespace histolab::kernels::worker {

inline constexpr int request_descriptor = 3;
inline constexpr int object_descriptor = 4;
inline constexpr int first_buffer_descriptor = 5;
inline constexpr int debugged_answer_descriptor = 63;  // of a launch under a debugger, who has the standard output

struct Request {
  std::vector<KernelSignature> signatures;  // to be inspected; of a launch one: what is launched
  bool launch = false;  // else: inspect only
  LaunchConfig config;
  Options options;  // `live` apart, which is no value:
  int live_descriptor = -1;  // of Live::buffer(); none: nobody watches
  std::vector<std::vector<emulator::MappedArgument>> launches;
  std::vector<emulator::WideAccess> wide_accesses;
  std::vector<int> local_lines;
  bool spreads = false;  // the launches may be run by several processes of the worker's own
  // If not 0, the worker limits itself before the kernel runs: its parent cannot limit it without
  // limiting a debugger.
  std::uint64_t own_data_limit = 0;  // bytes
};

struct Answer {
  std::string machine_error;  // not empty: the machine failed, the kernel is not to blame
  std::vector<emulator::ModuleInfo> modules;  // of the signatures that were inspected, in their order
  std::vector<Observation> observations;
};

[[nodiscard]] std::string to_text(const Request& request);
[[nodiscard]] Result<Request> request_from(std::string_view text);
[[nodiscard]] std::string to_text(const Answer& answer);
[[nodiscard]] Result<Answer> answer_from(std::string_view text);

}  // namespace histolab::kernels::worker
