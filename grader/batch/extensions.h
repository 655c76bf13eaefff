// Extensions: more time for single students, from a CSV file.
//
//   student,lab,deadline,extra_days,late_days,reason
//   ada@example.edu,04-privatization,2026-11-27T23:59:00+01:00,,,illness
//   Bob Babbage,,,2,,accommodation               without a lab: two more days for each lab
//   4711,,,,5,                                   five late days instead of the policy's
//
// People finds the student. A row with the lab's name has precedence over one without a lab.
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
  std::string student, lab;  // an empty lab means all labs
  Extension extension;
  std::optional<std::int64_t> late_days;
};
struct Extensions {
  std::string file;  // for messages
  std::vector<ExtensionRow> rows;
};

// Returns an Error if the file is not a CSV table, if a column is missing or unknown, or if a cell
// is invalid. The message has the line.
[[nodiscard]] Result<Extensions> read_extensions(const std::string& file, const std::string& text);
// Replaces the file name in messages about the journal's rows.
inline constexpr const char* kept_extensions = "the extensions";
// Replaces "1" or "race" by the lab's full name. Returns an Error if a row names an unknown lab.
[[nodiscard]] Status name_labs(Extensions& extensions, const std::vector<std::string>& labs);
// Returns a sentence for each row without effect, because its deadline is before the lab's own.
[[nodiscard]] std::vector<std::string> useless_rows(const Extensions& extensions,
                                                    const LatePolicy& policy,
                                                    const std::vector<std::string>& labs);

struct Allowances {
  std::map<std::string, Allowance> by_key;
  std::vector<std::string>
      unmatched;  // a sentence for each row that matches no or several students
};
// Returns an Error if two rows are for the same student and lab.
[[nodiscard]] Result<Allowances> allowances_of(const Extensions& extensions,
                                               const std::vector<Student>& students);

}  // namespace histolab::batch
