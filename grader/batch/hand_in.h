// HandIn: one student's submission, as read by intake. All of its content is untrusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "grader/batch/class_results.h"

namespace histolab::batch {

// The submission for one lab.
struct Work {
  std::string path;                   // relative to the class's folder, for display
  std::optional<std::string> kernel;  // text; missing if not submitted or unreadable
  // Why an instructor has to decide before there is a mark: the reason why the kernel could not be
  // read, or the fault in the answers. Empty if there is none of these.
  std::string problem;
  std::optional<std::string> sheet;  // <LAB>.quiz.json
  std::string sheet_path;            // its path in the Tree, in any bytes; only set by intake
  std::optional<std::int64_t> at;    // submission time in seconds since 1970, if known
  std::optional<bool> marked_late;   // by the learning platform, if it marks late submissions
};

struct HandIn {
  Student student;
  std::string problem;                // problem of the whole submission: Entry::problem
  std::map<std::string, Work> works;  // by the lab's name; only labs with a submission
  std::string path;                   // latest file, for labs without a Work::path
};

// The submissions of a class. Each is created on request, so that the files of all students are
// never in memory at the same time.
struct HandIns {
  std::size_t count = 0;
  std::function<HandIn(std::size_t number)> at;
};

}  // namespace histolab::batch
