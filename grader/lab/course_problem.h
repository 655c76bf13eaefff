// CourseProblem: one problem of the course, found by `histolab check`.
#pragma once

#include <string>

namespace histolab::grader {

struct CourseProblem {
  // The kernel, page or data file with the problem; "FILE:LINE" if the line is known.
  std::string file;
  std::string message;
};

}  // namespace histolab::grader
