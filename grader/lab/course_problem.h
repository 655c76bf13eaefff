// CourseProblem: something about the course that does not hold.
#pragma once

#include <string>

namespace histolab::grader {

struct CourseProblem {
  std::string file;  // the kernel, the page or the data file that does not hold what it says; "FILE:LINE" where a line is to blame
  std::string message;
};

}  // namespace histolab::grader
