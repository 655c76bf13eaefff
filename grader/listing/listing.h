// The listing: a kernel's source with each line's counters in the margin and its findings below it,
// compared with the lab's solution.
//
// It has at most TextOptions::width columns. Lines without memory accesses have an empty margin.
// Long lines of code wrap.
#pragma once

#include <cstdint>
#include <string>

#include "grader/feedback/text.h"
#include "grader/listing/annotated.h"

namespace histolab::grader {

// For a kernel that does not compile, returns its errors as in to_text. `solution` as for
// `annotated`.
[[nodiscard]] std::string listing(const RunReport& run, const LabSpec& lab,
                                  const std::string& source, const CaseResult* solution,
                                  const TextOptions& options);

// The lines, without anything about the launch.
enum class Legend { shown, left_out };
[[nodiscard]] std::string listing(const Annotated& source, const TextOptions& options,
                                  Legend legend = Legend::shown);

// "every bin is right", "wrong in 3 of 7 values".
[[nodiscard]] std::string result_in_words(const CaseResult& result, const reference::Task& task);

// "data_race (7 times): threads 3 and 17 ...".
[[nodiscard]] std::string full_text(const kernels::Finding& finding);
// "data_race: see line 12", for a line of `file` that the finding mentions.
[[nodiscard]] std::string reference_to(const kernels::Finding& finding, const std::string& file);

// At most four columns: 9999, 12k, 104k, 1.1M, 21G.
[[nodiscard]] std::string compact(std::uint64_t number);
// At most four columns: 1, 1.25, 31.9, 1024.
[[nodiscard]] std::string compact(double number);

}  // namespace histolab::grader
