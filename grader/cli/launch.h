// One launch of a lab's kernel, as `run` and `explain` make it: the same options, the same way to a report.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/command.h"
#include "grader/report_json.h"

namespace histolab::cli {

struct LaunchFlags {
  std::string kernel;
  std::string dataset = "mixed";
  std::optional<std::uint64_t> length;
  std::optional<std::uint32_t> grid;
  std::uint32_t block = 256;
  std::optional<std::uint32_t> shared;
  std::string profile = kernels::LaunchConfig{}.profile;
  std::string schedule = "lockstep";
  std::uint64_t seed = 1;
  std::string device = "auto";
  std::vector<std::string> observers_off;
};

// The options, and in the footer the datasets that there are.
void add_launch_options(CLI::App& command, LaunchFlags& flags);

// What is printed of a launch, or of a kernel that does not compile; `source` is the kernel's text.
using Show =
    std::function<std::string(const grader::LabSpec& lab, const grader::RunReport& run, const std::string& source)>;

// Compiles and launches the kernel, and prints it; the exit code.
[[nodiscard]] int launch_and_print(const Context& context, const LaunchFlags& flags, const grader::LabSpec& lab,
                                   const Show& show);

}  // namespace histolab::cli
