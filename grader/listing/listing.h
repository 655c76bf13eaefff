// The listing: a kernel's source with what each line did in the margin, the findings under their
// lines, and beside the lab's solution what it does more of.
//
// At most TextOptions::width columns. A line that touches no memory has an empty margin; a line of
// code that is too long goes on in the next row, so that nothing of it is lost.
#pragma once

#include <cstdint>
#include <string>

#include "grader/feedback/text.h"

namespace histolab::grader {

// Of a kernel that does not compile: its errors, as to_text tells them. `solution`: as for
// `annotated`.
[[nodiscard]] std::string listing(const RunReport& run, const LabSpec& lab,
                                  const std::string& source, const CaseResult* solution,
                                  const TextOptions& options);

// "every bin is right", "wrong in 3 of 7 values".
[[nodiscard]] std::string what_came_out(const CaseResult& result, const reference::Task& task);

// "data_race (7 times): threads 3 and 17 ...".
[[nodiscard]] std::string told_in_full(const kernels::Finding& finding);

// In at most four columns: 9999, 12k, 104k, 1.1M, 21G.
[[nodiscard]] std::string compact(std::uint64_t number);
// In at most four columns: 1, 1.25, 31.9, 1024.
[[nodiscard]] std::string compact(double number);

}  // namespace histolab::grader
