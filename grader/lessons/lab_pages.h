// The pages of a lab: lesson.in.md and the lesson.md that it makes, hints.md, instructor.md.
//
//   lesson.in.md -> PageSource -> Runs (all labs' together) -> Page -> compared with lesson.md, or
//   written
#pragma once

#include <string>
#include <vector>

#include "grader/lab/course_problem.h"
#include "grader/lab/lab.h"
#include "grader/lessons/instructor.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

// What lessons are made of besides their own text.
struct Sources {
  std::vector<LabSpec> labs;           // the whole course: a lesson may speak of other labs
  std::string measurements, profiles;  // the folders
};

struct LabPages {
  std::vector<CourseProblem> problems;
  std::vector<Misconception> misconceptions;
};

// Everything that docs/lessons.md asks of the pages; one entry per lab of `labs`. Error: the
// machine's fault.
[[nodiscard]] Result<std::vector<LabPages>> check_pages(kernels::Device& device,
                                                        const std::vector<LabSpec>& labs,
                                                        const Sources& sources, unsigned jobs);

struct WrittenPage {
  std::string file;  // lesson.md
  bool changed = false;
  std::vector<CourseProblem> problems;  // of lesson.in.md; then nothing was written
};

// Writes lesson.md of each lab where it is not what lesson.in.md makes. Error: the machine's fault.
[[nodiscard]] Result<std::vector<WrittenPage>> write_lessons(kernels::Device& device,
                                                             const std::vector<LabSpec>& labs,
                                                             const Sources& sources, unsigned jobs);

}  // namespace histolab::grader::lessons
