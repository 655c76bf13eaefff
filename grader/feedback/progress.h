// Progress: a student's best result per lab, stored in `folder`/progress.json (`folder` is work/).
//
// It is not a mark, and no mark depends on it; it shows where to continue. A worse result never
// replaces a better one. The file is replaced atomically (write_file.h), so killing a process
// cannot damage it. Writers lock the folder, so watch and grade may run at the same time. Unknown
// fields are preserved. A file of a newer schema is neither used nor changed. An invalid file is
// backed up under a new name before the first write.
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

// Empty without a file. Returns an Error if the file cannot be used; it is left unchanged.
[[nodiscard]] Result<Progress> read_progress(const std::string& folder);

// Stores results that are better than the stored ones. The results must come from submissions
// graded with all cases and all points. Returns the name of the backup of an invalid file, usually
// empty. Returns an Error if writing fails; the old file is then unchanged.
[[nodiscard]] Result<std::string> record_progress(const std::string& folder,
                                                  const std::vector<LabResult>& results);

}  // namespace histolab::grader
