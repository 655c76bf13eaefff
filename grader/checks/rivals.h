// Rivals: the solutions with which the timed checks of a lab compare a submission.
#pragma once

#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "kernels/device.h"

namespace histolab::grader {

struct Rival {
  LabSpec lab;
  kernels::Compiled compiled;
  Exports exports;
};

// Stands for the lab's own read.cu, in place of a lab's name. It only reads the data; its output
// does not matter.
inline constexpr std::string_view read_rival = "read.cu";

// Returns the rival of a timed check: the name of a lab, or read_rival.
[[nodiscard]] std::string rival_of(const LabSpec& lab, const CheckSpec& check);

// Returns the rivals of all checks on this timed case: the lab itself for within_of_solution,
// read_rival for share_of_read_limit.
[[nodiscard]] std::vector<std::string> rivals_of(const LabSpec& lab, std::size_t timed_case);

// Returns the path of the rival's source file.
[[nodiscard]] std::string rival_path(const LabSpec& lab, const std::string& name);

// Loads and compiles the solution of the lab `name`, a neighbour of `lab`'s folder, for `device`.
// Returns an Error if the machine fails, or if the lab or a valid solution is missing.
[[nodiscard]] Result<Rival> load_rival(kernels::Device& device, const LabSpec& lab,
                                       const std::string& name);

// Returns how to launch a rival on a timed case of `lab`. If the labs differ, it uses the rival's
// first kernel. Returns an Error if that kernel cannot count in the case's bins.
[[nodiscard]] Result<LaunchShape> shape_for(const Rival& rival, const LabSpec& lab,
                                            const TimedCaseSpec& spec,
                                            std::uint32_t multiprocessors);

// Returns the compiler's first error, for example "line 3: expected ';'".
[[nodiscard]] std::string first_error_of(const kernels::Compiled& compiled);

}  // namespace histolab::grader
