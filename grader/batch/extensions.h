// Extensions: more time for single students, from a CSV file.
//
//   student,lab,deadline,extra_days,late_days,reason
//   ada@example.edu,04-privatization,2026-11-27T23:59:00+01:00,,,illness
//   Bob Babbage,,,2,,accommodation               no lab: two more days for each lab
//   4711,,,,5,                                   five late days instead of the policy's
//
// A student is named as People finds one. A row with the lab's name counts before one without.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/batch/late.h"
#include "reference/result.h"

namespace histolab::batch {

struct ExtensionRow {
  std::size_t line = 0;
  std::string student, lab;  // without a lab: all labs
  Extension extension;
  std::optional<std::int64_t> late_days;
};
struct Extensions {
  std::string file;  // for messages
  std::vector<ExtensionRow> rows;
};

// Fails if the file is not a CSV table, a column is missing or unknown, or a cell is not what it
// should be; with the line.
[[nodiscard]] Result<Extensions> read_extensions(const std::string& file, const std::string& text);
// Stands for the file in messages about the journal's rows.
inline constexpr const char* kept_extensions = "the extensions";
// Replaces "1" or "race" by the lab's name. Fails if a row names a lab that is not one of these.
[[nodiscard]] Status name_labs(Extensions& extensions, const std::vector<std::string>& labs);
// A sentence for each row whose deadline is before the lab's own, which counts.
[[nodiscard]] std::vector<std::string> useless_rows(const Extensions& extensions,
                                                    const LatePolicy& policy,
                                                    const std::vector<std::string>& labs);

struct Allowances {
  std::map<std::string, Allowance> by_key;
  std::vector<std::string> unmatched;  // a sentence for each row that means no student, or several
};
// Fails if two rows are about one student and lab.
[[nodiscard]] Result<Allowances> allowances_of(const Extensions& extensions,
                                               const std::vector<Student>& students);

}  // namespace histolab::batch
