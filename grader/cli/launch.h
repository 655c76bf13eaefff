// One launch of a lab's kernel, as `run`, `explain`, `compare`, `debug` and `race` make it: the
// same options, the same way to a report.
//
//   LaunchFlags -> prepare_launch -> PreparedLaunch -> plan_launch -> launch -> RunReport
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
  std::string function = {};  // of a lab with several kernels; empty: the first that the file has
  std::string dataset = {};   // empty: mixed, or sensor where samples have 16 bits
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

// All options, and in the footer the datasets that there are.
void add_launch_options(CLI::App& command, LaunchFlags& flags);
// All but --kernel and --dataset; the datasets are in the footer too.
void add_shape_options(CLI::App& command, LaunchFlags& flags);

// What runs the kernel; `gpu` is the same device where it is one.
struct LaunchMachine {
  std::unique_ptr<kernels::Device> device;
  kernels::TimedDevice* gpu = nullptr;
};

// A kernel that is compiled and, unless `compiled.ok` is false or `unfit` says why not, can be
// launched again and again.
struct PreparedLaunch {
  LaunchFlags flags;
  grader::LabSpec lab;     // with what the flags change about it
  std::size_t number = 0;  // of the kernel, in LabSpec::kernels
  grader::Submission kernel;
  kernels::Observers observers;
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  kernels::BlockOrder block_order = kernels::BlockOrder::ascending;
  LaunchMachine machine;
  kernels::Compiled compiled;
  grader::Exports exports;
  std::string unfit;  // it compiles, but an export is out of its range: the student's doing
};

// The data of a launch by hand, and its name. Error: there is no such dataset, file or kernel.
struct LaunchData {
  std::string name;
  grader::Bytes bytes;
  std::uint64_t length = 0;  // elements
};
[[nodiscard]] Result<LaunchData> load_data(const grader::LabSpec& lab, const LaunchFlags& flags);
// Error: the flags do not hold (no such profile, schedule, observer, device, file), or the
// machine's fault.
[[nodiscard]] Result<PreparedLaunch> prepare_launch(const Context& context,
                                                    const LaunchFlags& flags,
                                                    const grader::LabSpec& lab);
// What is known before a launch on `length` elements of a dataset; all there is of a kernel that
// cannot be launched.
[[nodiscard]] grader::RunReport plan_launch(const PreparedLaunch& prepared,
                                            const std::string& dataset, std::uint64_t length,
                                            std::uint64_t seed);
// Makes the launch; the report with everything else filled in. On a GPU it is timed, too.
[[nodiscard]] Result<grader::RunReport> launch(const Context& context,
                                               const PreparedLaunch& prepared,
                                               grader::RunReport plan,
                                               const std::vector<grader::Bytes>& one_input,
                                               const grader::Onlooker* onlooker = nullptr);
// Did it compile and end, so that the exit code is `done`?
[[nodiscard]] bool has_ended(const grader::RunReport& report);

// A launch from the flags to the report; of a kernel that does not compile what is known before.
// Data are loaded for it.
struct MadeLaunch {
  PreparedLaunch prepared;
  grader::RunReport report;
};
// Error: as of the steps. `unfit` of what was prepared: it was not launched.
[[nodiscard]] Result<MadeLaunch> make_launch(const Context& context, const LaunchFlags& flags,
                                             const grader::LabSpec& lab,
                                             std::uint32_t recorded_accesses = 0);
// Says why a kernel was not launched that is `unfit`; the exit code.
[[nodiscard]] int complain_of_unfit(const PreparedLaunch& prepared);

}  // namespace histolab::cli
