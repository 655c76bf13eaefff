// One launch of a lab's kernel, for `run`, `explain`, `compare`, `debug` and `race`. They share the
// options and the steps to a report:
//
//    LaunchFlags -> prepare_launch -> PreparedLaunch -> plan_launch -> launch -> RunReport
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/command.h"
#include "grader/lab/launch_plan.h"
#include "grader/lab/submission.h"
#include "grader/pipeline/case_run.h"
#include "grader/report/report.h"

namespace histolab::cli {

struct LaunchFlags {
  std::string kernel;
  // For a lab with several kernels. Empty: the first one in the file.
  std::string function = {};
  // Empty: mixed, or sensor for samples of 16 bits.
  std::string dataset = {};
  std::optional<std::uint32_t> bins = {};
  std::uint32_t offset = 0;
  std::optional<std::uint64_t> length = {};
  std::optional<std::uint32_t> grid = {};
  std::uint32_t block = 256;
  std::optional<std::uint32_t> shared = {};
  std::vector<std::string> exports = {};  // NAME=VALUE
  std::string profile = kernels::LaunchConfig{}.profile;
  std::string schedule = "lockstep";
  std::string block_order = "ascending";
  std::uint64_t seed = 1;
  std::string device = "auto";
  std::vector<std::string> observers_off = {};
};

[[nodiscard]] std::vector<std::string> schedule_names();
[[nodiscard]] std::vector<std::string> block_order_names();
[[nodiscard]] std::vector<std::string> observer_names();
// Returns an Error if an observer is unknown.
[[nodiscard]] Result<kernels::Observers> observers_of(const std::vector<std::string>& off);

// The flags for the launch of one of the lab's cases, on the data that `grade` uses with this seed.
// Returns an Error that names the cases if there is none with this id.
[[nodiscard]] Result<LaunchFlags> flags_of_case(LaunchFlags flags, const grader::LabSpec& lab,
                                                const std::string& id);

// Adds --case; the help names the default.
void add_case_option(CLI::App& command, std::string& id, const std::string& by_default);
// Refuses options for the data and the shape of a launch that --case has chosen already.
void refuse_data_options(const CLI::App& command, const std::string& id);

// Adds all options; the help's footer lists the datasets.
void add_launch_options(CLI::App& command, LaunchFlags& flags);
// Adds all options except --kernel and --dataset; the footer lists the datasets too.
void add_shape_options(CLI::App& command, LaunchFlags& flags);

// The kernel of --kernel, else the file in work/, else the solution, which a note says.
[[nodiscard]] Result<grader::Submission> kernel_of(const LaunchFlags& flags,
                                                   const grader::LabSpec& lab);

// The device that runs the kernel. `gpu` points to the same device if it is a GPU, else it is null.
struct LaunchMachine {
  std::unique_ptr<kernels::Device> device;
  kernels::TimedDevice* gpu = nullptr;
};

// A compiled kernel. It can be launched repeatedly unless `compiled.ok` is false or `unfit` gives a
// reason.
struct PreparedLaunch {
  LaunchFlags flags;
  grader::LabSpec lab;     // as changed by the flags
  std::size_t number = 0;  // of the kernel, in LabSpec::kernels
  grader::Submission kernel;
  kernels::Observers observers;
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  kernels::BlockOrder block_order = kernels::BlockOrder::ascending;
  LaunchMachine machine;
  kernels::Compiled compiled;
  grader::Exports exports;
  // The kernel compiles but exports a value out of range: the student's mistake. Empty otherwise.
  std::string unfit;
};

// A dataset, loaded for one launch. load_data() returns an Error if it cannot find the dataset,
// file or kernel.
struct LaunchData {
  std::string name;
  grader::Bytes bytes;
  std::uint64_t length = 0;  // elements
};
[[nodiscard]] Result<LaunchData> load_data(const grader::LabSpec& lab, const LaunchFlags& flags);
// Returns an Error if a flag is invalid (unknown profile, schedule, observer, device or file) or
// the machine fails.
[[nodiscard]] Result<PreparedLaunch> prepare_launch(const Context& context,
                                                    const LaunchFlags& flags,
                                                    const grader::LabSpec& lab);
// The part of the report that is known before a launch on `length` elements of a dataset. It is the
// whole report of a kernel that cannot be launched.
[[nodiscard]] grader::RunReport plan_launch(const PreparedLaunch& prepared,
                                            const std::string& dataset, std::uint64_t length,
                                            std::uint64_t seed);
// Launches the kernel and returns the complete report. On a GPU the launch is also timed.
[[nodiscard]] Result<grader::RunReport> launch(const Context& context,
                                               const PreparedLaunch& prepared,
                                               grader::RunReport plan,
                                               const std::vector<grader::Bytes>& one_input,
                                               const grader::Onlooker* onlooker = nullptr);
// Whether the kernel compiled and ended, so that the exit code is `done`.
[[nodiscard]] bool has_ended(const grader::RunReport& report);

// The whole way from flags to a report, with data loaded. For a kernel that does not compile, the
// report has only what is known before a launch.
struct MadeLaunch {
  PreparedLaunch prepared;
  grader::RunReport report;
};
// Returns an Error if one of the steps does. If `prepared.unfit` is not empty, the kernel was not
// launched.
[[nodiscard]] Result<MadeLaunch> make_launch(const Context& context, const LaunchFlags& flags,
                                             const grader::LabSpec& lab,
                                             std::uint32_t recorded_accesses = 0);
// Reports why an `unfit` kernel was not launched. Returns the exit code.
[[nodiscard]] int report_unfit(const PreparedLaunch& prepared);

}  // namespace histolab::cli
