// check_course: the course tests itself. For each lab: the stub compiles and fails for the reason
// in lab.json. The solution gets full marks. Every attempt gets the verdict, the first failing
// check and the finding of its expect.json. The pages are true (lessons/lab_pages.h). A quiz
// accepts its own answers: each question's computed answer, as text, is judged correct for many
// drawn numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/lab/course_problem.h"
#include "grader/lab/lab.h"
#include "grader/lessons/lab_pages.h"
#include "grader/pipeline/pipeline.h"
#include "reference/result.h"

namespace histolab::grader {

struct CourseLab {
  std::string lab;
  int solution_score = 0, max_score = 0;
  std::size_t attempts = 0, questions = 0;
  std::vector<CourseProblem> problems;
  std::vector<lessons::Misconception> misconceptions;
};

// One entry per lab, in order. Returns an Error if the machine could not run a kernel, which proves
// nothing about the course.
[[nodiscard]] Result<std::vector<CourseLab>> check_course(kernels::Device& device,
                                                          const std::vector<LabSpec>& labs,
                                                          const GradeOptions& options,
                                                          const lessons::Sources& sources);

[[nodiscard]] std::string to_text(const std::vector<CourseLab>& course);
// The misconceptions of each lab, and the attempts that show them.
[[nodiscard]] std::string coverage_text(const std::vector<CourseLab>& course);

}  // namespace histolab::grader
