// The grader's requests to histolab-gpu-worker, and the answers, as JSON of a fixed shape. Sources,
// cubins and buffers are passed by descriptors; a request contains their numbers. Parsing does not
// throw. It returns an Error for an answer of another shape, and the client then reports a verdict
// about the kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"
#include "kernels/gpu/cubin.h"
#include "kernels/gpu/ptxas_report.h"

namespace histolab::kernels::gpu {

inline constexpr int request_descriptor = 3;
inline constexpr int first_descriptor = 4;

struct Blob {
  int descriptor = -1;
  std::uint64_t bytes = 0;
};

struct GpuArgument {
  Argument::Kind kind = Argument::Kind::word;
  std::string name;
  Blob buffer;  // launch: for input and output
  std::uint32_t word = 0;
  std::uint32_t offset = 0;  // launch: for an input, in bytes
};

struct KernelImage {
  Blob cubin;
  std::string symbol;  // mangled
  LaunchConfig config;
  bool may_be_watched = true;          // see watchdog.h
  bool is_cooperative = false;         // all blocks must be resident
  std::vector<GpuArgument> arguments;  // time: for each sample
};

struct Request {
  enum class What { probe, compile, launch, time };
  What what = What::probe;
  int gpu = 0;

  Blob source;         // compile
  int capability = 0;  // compile: 90 for sm_90

  Blob harness;                      // launch, time: the cubin of harness.h
  std::vector<KernelImage> kernels;  // launch: one
  std::uint64_t limit_ms = 0;        // per launch

  std::vector<std::vector<GpuArgument>> launches;  // launch

  std::vector<Blob> inputs, outputs;  // time: one output per kernel, for all rounds
  std::uint64_t output_bytes = 0;     // time: per round
  std::vector<TimingPlan::Sample> samples;
  std::uint64_t least_samples = 0, budget_ms = 0;
  double wanted_spread = 0;
};

struct GpuDescription {
  std::string name, driver;
  int capability = 0;
  int multiprocessors = 0;
};

struct Answer {
  std::string machine_error;         // empty unless the machine failed; then not the kernel's fault
  std::vector<GpuDescription> gpus;  // probe
  std::vector<Diagnostic> diagnostics;     // compile
  std::vector<KernelResources> resources;  // compile
  Cubin contents;                          // compile
  bool is_cooperative = false;             // compile: see Compilation
  // compile: sizes of the two cubins that follow the answer's line, in this order.
  std::uint64_t cubin_bytes = 0, harness_bytes = 0;
  std::vector<Observation> observations;  // launch
  std::vector<TimedKernel> timed;         // time: without the outputs
};

[[nodiscard]] std::string to_text(const Request& request);
[[nodiscard]] Result<Request> request_from(std::string_view text);
[[nodiscard]] std::string to_text(const Answer& answer);
[[nodiscard]] Result<Answer> answer_from(std::string_view text);

}  // namespace histolab::kernels::gpu
