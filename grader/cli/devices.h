// Devices: the devices on which a command runs and times kernels, chosen from --device and this
// machine's hardware, and their sandbox.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "grader/cli/context.h"
#include "grader/pipeline/pipeline.h"
#include "grader/sandbox/sandbox.h"
#include "grader/watch/grading.h"
#include "kernels/worker/client.h"
#include "reference/result.h"
#include "reference/timing_profile.h"

namespace histolab::cli {

// --device is "auto", "emulator", "gpu" (the first) or "gpu:N".
// Returns N for "gpu:N", 0 for "gpu", nullopt for other devices.
[[nodiscard]] std::optional<int> gpu_number(const std::string& device);
// The same for a command that measures a GPU. Returns an Error if `device` is not a GPU.
[[nodiscard]] Result<int> gpu_to_measure(const std::string& device);
// True if NVIDIA's driver is loaded.
[[nodiscard]] bool gpu_may_be_there();
// Returns an Error if this build lacks the program, which nvcc must compile. The message says how
// to get it.
[[nodiscard]] Status has_program(const std::string& path);

// The best sandbox of this machine, or the one that $HISTOLAB_SANDBOX names: full, reduced, none.
// It is determined once and then cached. Returns an Error if the name is unknown or this machine
// lacks that sandbox.
[[nodiscard]] Result<const sandbox::Sandbox*> sandbox_of(const Context& context);
// Why the sandbox is not stronger, and how to fix that.
[[nodiscard]] std::string why_no_better(const sandbox::Sandbox& sandbox);
// Refuses kernels of strangers if only limits confine them, unless `unsafe` says that the user
// trusts their authors. The Error's message continues a sentence that begins with "this machine" or
// similar.
[[nodiscard]] Status may_run_strangers(const sandbox::Sandbox& sandbox, bool unsafe);
// The same for this machine. The message is a whole sentence.
[[nodiscard]] Status may_run_strangers(const Context& context, bool unsafe);

// Returns an Error if the worker is missing.
[[nodiscard]] Result<std::unique_ptr<kernels::Device>> make_emulator(const Context& context);
// The same with changed paths.
[[nodiscard]] std::unique_ptr<kernels::Device> make_emulator(const Context& context,
                                                             kernels::EmulatorPaths paths);
// The paths that make_emulator() uses, for callers that make several emulators with shared workers.
[[nodiscard]] Result<kernels::EmulatorPaths> emulator_paths(const Context& context);
// Returns the GPU that `device` names; for "auto" the first usable one; null for "emulator". If
// "auto" cannot use an existing GPU, the reason is printed as a note and is not an Error.
[[nodiscard]] Result<std::unique_ptr<kernels::TimedDevice>> make_gpu(const Context& context,
                                                                     const std::string& device);
// This build's GPU compiler, set up for `gpu`, or for the profile's GPU if `gpu` is null. Empty if
// the build has none or `device` is "emulator".
[[nodiscard]] decltype(grader::GradeOptions::gpu_compiler) gpu_compiler(const Context& context,
                                                                        const std::string& device,
                                                                        kernels::TimedDevice* gpu);

// The source of kernel times: a GPU, or a model of one.
struct Clock {
  std::unique_ptr<kernels::TimedDevice> gpu;
  std::optional<reference::TimingProfile> profile;
};
[[nodiscard]] Result<Clock> make_clock(const Context& context, const std::string& device);

// A queue that grades saves on the emulator, with workers and compilations that are ready for the
// next save. One save is graded at a time, on `jobs` threads. Returns an Error if the machine
// cannot grade.
[[nodiscard]] Result<std::unique_ptr<grader::GradingQueue>> make_gradings(const Context& context,
                                                                          unsigned jobs);

}  // namespace histolab::cli
