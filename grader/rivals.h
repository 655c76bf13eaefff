// Rivals: the solutions that the timed checks of a lab compare a submission with.
#pragma once

#include <string>
#include <vector>

#include "grader/lab.h"
#include "grader/launch_plan.h"
#include "kernels/device.h"

namespace histolab::grader {

struct Rival {
  LabSpec lab;
  kernels::Compiled compiled;
  Exports exports;
};

// The labs whose solutions the checks on this timed case name: the lab's own for within_of_solution.
[[nodiscard]] std::vector<std::string> rivals_of(const LabSpec& lab, std::size_t timed_case);

// The solution of the lab called `name`, which lies beside `lab`, compiled for `device`. Error: the machine's fault, or there is
// no such lab, or its solution is no good.
[[nodiscard]] Result<Rival> load_rival(kernels::Device& device, const LabSpec& lab, const std::string& name);

// "line 3: expected ';'": the compiler's first error.
[[nodiscard]] std::string first_error_of(const kernels::Compiled& compiled);

}  // namespace histolab::grader
