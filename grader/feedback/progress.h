// Progress: the best that a student has reached in each lab, kept in `folder`/progress.json
// (`folder` is work/).
//
// It is no mark and none depends on it; it says where to go on. A result that is worse than an
// earlier one takes nothing away. The file is there whole or not at all (write_file.h), however
// often somebody is killed; whoever writes holds a lock on the folder, so watch and grade may run
// side by side. Fields that this version does not know stay as they are; a file of a newer schema
// is neither used nor changed; one that is no such file is put aside under a new name, once there
// is something to be kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::grader {

struct LabProgress {
  bool passed = false;
  int score = 0, max_score = 0;
  int checks_passed = 0, checks = 0;
};
using Progress = std::map<std::string, LabProgress>;  // by the lab's name

[[nodiscard]] std::string progress_path(const std::string& folder);

// Empty where there is no file. Error: why it cannot be used; nothing was changed.
[[nodiscard]] Result<Progress> read_progress(const std::string& folder);

// Keeps what is better than what is known: of results of submissions that were graded, all cases
// and all points. The result is what was put aside, empty nearly always. Error: it could not be
// kept; the old file is as it was.
[[nodiscard]] Result<std::string> record_progress(const std::string& folder,
                                                  const std::vector<LabResult>& results);

}  // namespace histolab::grader
