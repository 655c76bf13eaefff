// What the commands have in common: where things lie, how they end, how they speak.
//
// Each command is one file with one function that adds it to the program; parsing it sets Context::run, which does the
// work and gives the exit code. Results go to the standard output, everything else to the standard error.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/lab.h"
#include "grader/paths.h"
#include "grader/sandbox/sandbox.h"
#include "grader/pipeline.h"
#include "kernels/device.h"
#include "reference/result.h"
#include "reference/timing_profile.h"

namespace histolab::cli {

enum Exit : int {
  done = 0,        // done, and passed
  not_passed = 1,  // done, and something did not pass
  cannot = 2,      // wrong usage, or the environment kept it from running
};

inline constexpr const char* work_folder = "work";

struct Context {
  grader::Paths paths;
  std::function<int()> run;               // of the command that was given
  kernels::worker::Debugger* debugger = nullptr;  // of the emulator's launches; only `debug` has one
  std::vector<std::string> viewer_words;  // what comes after `view`; --help and --version, too, are the viewer's there
};

void add_list(CLI::App& app, Context& context);
void add_start(CLI::App& app, Context& context);
void add_grade(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_debug(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_race(CLI::App& app, Context& context);
void add_calibrate(CLI::App& app, Context& context);
void add_model(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_new(CLI::App& app, Context& context);
void add_quiz(CLI::App& app, Context& context);
void add_data(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_lesson(CLI::App& app, Context& context);
void add_hint(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_reset(CLI::App& app, Context& context);
void add_solution(CLI::App& app, Context& context);
void add_view(CLI::App& app, Context& context);
void add_watch(CLI::App& app, Context& context);
void add_batch(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);
void add_man(CLI::App& app, Context& context);
void add_task(CLI::App& app, Context& context);

// A command with its summary and its example (one or more lines).
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary, const std::string& example);
// Options that several commands have.
void add_device_option(CLI::App& command, std::string& device);
void add_seed_option(CLI::App& command, std::uint64_t& seed);
void add_jobs_option(CLI::App& command, unsigned& jobs);
inline constexpr std::uint64_t max_seed = (std::uint64_t{1} << 53) - 1;  // what every JSON reader keeps exactly
[[nodiscard]] unsigned default_jobs();

// "histolab: MESSAGE" to the standard error; the exit code for it.
int complain(const Error& error);
void note(const std::string& text);                // to the standard error
[[nodiscard]] int print(const std::string& text);  // to the standard output; the exit code: a full disk is an error
[[nodiscard]] bool color_wanted();                 // a terminal, and no NO_COLOR
[[nodiscard]] std::size_t columns_to_use(std::size_t least = 80);  // of the terminal; 80 where there is none

// --device: "auto", "emulator", "gpu" (the first) or "gpu:N".
// N of "gpu:N", 0 of "gpu"; nullopt: it names no GPU.
[[nodiscard]] std::optional<int> gpu_number(const std::string& device);
// The same for a command that measures a GPU. Error: the device is something else.
[[nodiscard]] Result<int> gpu_to_measure(const std::string& device);
// Whether a driver of NVIDIA's is loaded.
[[nodiscard]] bool gpu_may_be_there();
// Error: this build has not this one of the programs that nvcc compiles; it says how to get it.
[[nodiscard]] Status has_program(const std::string& path);
// Error: the worker is not there.
[[nodiscard]] Result<std::unique_ptr<kernels::Device>> make_emulator(const Context& context);
// The best sandbox that this machine has, or the one that $HISTOLAB_SANDBOX asks for: full, reduced, none. Tried once, then kept. Error:
// there is no such one, or it cannot be had here.
[[nodiscard]] Result<const sandbox::Sandbox*> sandbox_of(const Context& context);
// How make_emulator makes one; for who makes several that share their workers.
[[nodiscard]] Result<kernels::EmulatorPaths> emulator_paths(const Context& context);
// The GPU that `device` names; of "auto" the first one that can be used, of "emulator" none: then the pointer is null. What keeps
// "auto" from using a GPU that is there is a note, no Error.
[[nodiscard]] Result<std::unique_ptr<kernels::TimedDevice>> make_gpu(const Context& context, const std::string& device);
// What tells how long kernels take: a GPU, or the model of one where there is none.
struct Clock {
  std::unique_ptr<kernels::TimedDevice> gpu;
  std::optional<reference::TimingProfile> profile;
};
// The compiler for GPUs that this build has, for `gpu` or, where that is null, for the profile's; empty: it has none, or `device` is "emulator".
[[nodiscard]] decltype(grader::GradeOptions::gpu_compiler) gpu_compiler(const Context& context, const std::string& device, kernels::TimedDevice* gpu);
[[nodiscard]] Result<Clock> make_clock(const Context& context, const std::string& device);

// The labs that the words name (a lab's file in work/ names it, too), in the catalogue's order and each once; all of them when there are no words.
[[nodiscard]] Result<std::vector<grader::LabSpec>> chosen_labs(const Context& context,
                                                               const std::vector<std::string>& words);

}  // namespace histolab::cli
