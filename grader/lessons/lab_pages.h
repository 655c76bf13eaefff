// The pages of a lab: lesson.in.md with the lesson.md that it generates, hints.md, instructor.md.
//
//   lesson.in.md -> PageSource -> Runs (of all labs) -> Page -> compared with lesson.md, or written
#pragma once

#include <string>
#include <vector>

#include "grader/lab/course_problem.h"
#include "grader/lab/lab.h"
#include "grader/lessons/instructor.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader::lessons {

// The inputs of lessons besides their own text.
struct Sources {
  // The whole course, since a lesson may mention other labs.
  std::vector<LabSpec> labs;
  std::string measurements, profiles;  // folders
};

struct LabPages {
  std::vector<CourseProblem> problems;
  std::vector<Misconception> misconceptions;
};

// Checks the rules of docs/lessons.md. Returns one entry per lab of `labs`, or an Error if the
// machine fails.
[[nodiscard]] Result<std::vector<LabPages>> check_pages(kernels::Device& device,
                                                        const std::vector<LabSpec>& labs,
                                                        const Sources& sources, unsigned jobs);

struct WrittenPage {
  std::string file;  // lesson.md
  bool changed = false;
  std::vector<CourseProblem> problems;  // of lesson.in.md; if there are any, nothing was written
};

// Writes each lab's lesson.md if lesson.in.md makes a different one. Returns an Error if the
// machine fails.
[[nodiscard]] Result<std::vector<WrittenPage>> write_lessons(kernels::Device& device,
                                                             const std::vector<LabSpec>& labs,
                                                             const Sources& sources, unsigned jobs);

}  // namespace histolab::grader::lessons
