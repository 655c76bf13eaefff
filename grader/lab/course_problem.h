// CourseProblem: something about the course that does not hold.
#pragma once

#include <string>

namespace histolab::grader {

struct CourseProblem {
  // The kernel, the page or the data file that does not hold what it says; "FILE:LINE" where a line
  // is to blame.
  std::string file;
  std::string message;
};

}  // namespace histolab::grader
