// Remark: a problem as a student reads it, in the sentences that `grade` prints (grader/feedback/advice.h).
#pragma once

#include <string>
#include <vector>

namespace histolab::grader {

struct Remark {
  struct Place {
    int line = 0, column = 0;  // in the student's file; column 0: the whole statement
  };
  std::string where = {};            // the case that showed it; empty if it concerns no case
  std::string what = {};             // one sentence; so are the next two
  std::string why = {};              // why it matters, or the cause of a wrong result; may be empty
  std::string next = {};             // what to try
  std::vector<Place> places = {};    // empty if no line is known; a race has two
  bool shortened = false;            // a text was cut to six lines; not in a report
};

}  // namespace histolab::grader
