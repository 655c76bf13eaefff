// HandIn: what one student handed in, as intake found it; every byte of it is a stranger's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "grader/batch/class_results.h"

namespace histolab::batch {

// For one lab.
struct Work {
  std::string path;                   // below the class's folder, as it was found; for people
  std::optional<std::string> kernel;  // text; none: nothing was handed in, or it could not be read
  // Why a person has to look before there is a mark. Without a kernel: why the one that is there
  // could not be read. With one: what is wrong with the answers. Empty: nothing is wrong.
  std::string problem;
  std::optional<std::string> sheet;  // <LAB>.quiz.json
  std::string sheet_path;            // its path in the Tree, in any bytes; known to intake only
  std::optional<std::int64_t>
      at;  // when it was handed in, in seconds since 1970; none: nobody knows
  std::optional<bool>
      marked_late;  // by the learning platform, which does not say by how much; none: it never says
};

struct HandIn {
  Student student;
  std::string problem;                // of the hand-in as a whole: Entry::problem
  std::map<std::string, Work> works;  // by the lab's name; without an entry: nothing
  std::string path;                   // for labs without a Work::path: the latest submission's
};

// What a class handed in. A student's is made when it is asked for, so that copies of everybody's
// files never are in memory together.
struct HandIns {
  std::size_t count = 0;
  std::function<HandIn(std::size_t number)> at;
};

}  // namespace histolab::batch
