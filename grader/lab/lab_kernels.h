// The kernels that there are for a lab: its stub, its solution, the attempts that come with it, the
// student's own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/lab.h"

namespace histolab::grader {

enum class KernelRole { stub, solution, attempt, work };
[[nodiscard]] std::string_view name(KernelRole role);

struct LabKernel {
  KernelRole role = KernelRole::stub;
  std::string name;  // an attempt's folder, else the role's name
  std::string path;
};

// Folders below the lab's attempts/, by name.
[[nodiscard]] std::vector<std::string> attempts_of(const LabSpec& lab);

// The stub, the solution (not in a student edition), the attempts by name, and the lab's file in
// `work_folder` where there is one.
[[nodiscard]] std::vector<LabKernel> kernels_of(const LabSpec& lab, const std::string& work_folder);

}  // namespace histolab::grader
