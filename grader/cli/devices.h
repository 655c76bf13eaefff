// Devices: on what a command runs and times kernels, by its --device and by what this machine has;
// and what confines them there.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "grader/cli/context.h"
#include "grader/pipeline/pipeline.h"
#include "grader/sandbox/sandbox.h"
#include "kernels/worker/client.h"
#include "reference/result.h"
#include "reference/timing_profile.h"

namespace histolab::cli {

// --device is "auto", "emulator", "gpu" (the first) or "gpu:N".
// N of "gpu:N", 0 of "gpu"; nullopt: it names no GPU.
[[nodiscard]] std::optional<int> gpu_number(const std::string& device);
// The same for a command that measures a GPU. Error: the device is something else.
[[nodiscard]] Result<int> gpu_to_measure(const std::string& device);
// Whether a driver of NVIDIA's is loaded.
[[nodiscard]] bool gpu_may_be_there();
// Error: this build has not this one of the programs that nvcc compiles; it says how to get it.
[[nodiscard]] Status has_program(const std::string& path);

// The best sandbox that this machine has, or the one that $HISTOLAB_SANDBOX asks for: full,
// reduced, none. Tried once, then kept. Error: there is no such one, or it cannot be had here.
[[nodiscard]] Result<const sandbox::Sandbox*> sandbox_of(const Context& context);
// Why it is no better, and what mends that.
[[nodiscard]] std::string why_no_better(const sandbox::Sandbox& sandbox);
// Strangers' kernels are not run where nothing but limits confines them, unless somebody is sure of
// the strangers (`unsafe`). Error: what it says follows on "this machine " or the like.
[[nodiscard]] Status may_run_strangers(const sandbox::Sandbox& sandbox, bool unsafe);
// The same of this machine, in whole sentences.
[[nodiscard]] Status may_run_strangers(const Context& context, bool unsafe);

// Error: the worker is not there.
[[nodiscard]] Result<std::unique_ptr<kernels::Device>> make_emulator(const Context& context);
// How make_emulator makes one; for who makes several that share their workers.
[[nodiscard]] Result<kernels::EmulatorPaths> emulator_paths(const Context& context);
// The GPU that `device` names; of "auto" the first one that can be used, of "emulator" none: then
// the pointer is null. What keeps "auto" from using a GPU that is there is a note, no Error.
[[nodiscard]] Result<std::unique_ptr<kernels::TimedDevice>> make_gpu(const Context& context,
                                                                     const std::string& device);
// The compiler for GPUs that this build has, for `gpu` or, where that is null, for the profile's;
// empty: it has none, or `device` is "emulator".
[[nodiscard]] decltype(grader::GradeOptions::gpu_compiler) gpu_compiler(const Context& context,
                                                                        const std::string& device,
                                                                        kernels::TimedDevice* gpu);

// What tells how long kernels take: a GPU, or the model of one where there is none.
struct Clock {
  std::unique_ptr<kernels::TimedDevice> gpu;
  std::optional<reference::TimingProfile> profile;
};
[[nodiscard]] Result<Clock> make_clock(const Context& context, const std::string& device);

}  // namespace histolab::cli
