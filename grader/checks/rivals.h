// Rivals: the solutions that the timed checks of a lab compare a submission with.
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

// Instead of a lab's name: the lab's own read.cu, which only reads the data. What it leaves in the
// output is nobody's concern.
inline constexpr std::string_view read_rival = "read.cu";

// The rival of a check of a time: the lab whose solution it names, or read_rival.
[[nodiscard]] std::string rival_of(const LabSpec& lab, const CheckSpec& check);

// The labs whose solutions the checks on this timed case name: the lab's own for
// within_of_solution, read_rival for share_of_read_limit.
[[nodiscard]] std::vector<std::string> rivals_of(const LabSpec& lab, std::size_t timed_case);

// The file of that solution.
[[nodiscard]] std::string rival_path(const LabSpec& lab, const std::string& name);

// The solution of the lab called `name`, which lies beside `lab`, compiled for `device`. Error: the
// machine's fault, or there is no such lab, or its solution is no good.
[[nodiscard]] Result<Rival> load_rival(kernels::Device& device, const LabSpec& lab,
                                       const std::string& name);

// How a rival is launched on a timed case of another lab (or of its own): by its first kernel where
// the labs differ. Error: it does not count in the case's bins.
[[nodiscard]] Result<LaunchShape> shape_for(const Rival& rival, const LabSpec& lab,
                                            const TimedCaseSpec& spec,
                                            std::uint32_t multiprocessors);

// "line 3: expected ';'": the compiler's first error.
[[nodiscard]] std::string first_error_of(const kernels::Compiled& compiled);

}  // namespace histolab::grader
