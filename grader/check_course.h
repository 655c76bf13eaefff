// check_course: the course proves itself.
//
// For each lab: the lesson is there, the stub compiles and fails for the reason that lab.json gives, the solution gets
// full marks, and every attempt gets the verdict, the first failing check and the finding of its expect.json.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/lab.h"
#include "grader/pipeline.h"
#include "reference/result.h"

namespace histolab::grader {

struct CourseProblem {
  std::string file;  // the kernel or the data file that does not hold what it says
  std::string message;
};

struct CourseLab {
  std::string lab;
  int solution_score = 0, max_score = 0;
  std::size_t attempts = 0;
  std::vector<CourseProblem> problems;
};

// One per lab, in their order. Error: the machine could not run a kernel (which says nothing about the course).
[[nodiscard]] Result<std::vector<CourseLab>> check_course(kernels::Device& device, const std::vector<LabSpec>& labs,
                                                          const GradeOptions& options);

[[nodiscard]] std::string to_text(const std::vector<CourseLab>& course);

}  // namespace histolab::grader
