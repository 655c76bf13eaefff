// Known sources: code that students may have copied, other than that of their class: the course's
// own code (solutions, attempts, kernels in lessons and hints) and submissions of earlier classes.
//
// They are stored in the journal, so a report needs neither the labs nor the folders of earlier
// years.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/batch/sqlite.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::batch {

// The course's sources for these labs. Files that are missing in this kit are skipped.
[[nodiscard]] Result<std::vector<KnownSource>> course_sources(
    const std::vector<grader::LabSpec>& labs);

// Earlier classes as --earlier names them. Each path is the --out folder of an earlier batch, or a
// folder or an archive of submissions. The origin of a source is the last part of its path, or the
// whole path if two have the same last part. Returns an Error that names the path if one cannot be
// read, or is `out` itself.
[[nodiscard]] Result<std::vector<KnownSource>> earlier_sources(
    const std::vector<std::string>& paths, const std::vector<std::string>& labs,
    const std::string& out);

// Replaces the course's sources in the journal, and those of earlier classes if there are new ones.
[[nodiscard]] Status keep_known(Database& journal, const std::vector<KnownSource>& course,
                                const std::optional<std::vector<KnownSource>>& earlier);

struct KnownLikeness {
  std::string student;  // its key
  KnownSource source;   // without its text
  double share = 1;     // of the tokens, 0 to 1
  bool identical = false, renamed = false;
};

// A greater rank means more alike: an equal text, then renamed identifiers, then the larger share.
[[nodiscard]] constexpr auto rank_of(const auto& likeness) {
  return std::tuple{likeness.identical, likeness.renamed, likeness.share};
}

// Finds the submissions of a journal that are similar to known sources. Each submission has at most
// one source of the course and one of each earlier class, the most similar one. The order is by
// lab, then by the student's key. A copy of the course's code is not compared with earlier classes.
[[nodiscard]] Result<std::vector<KnownLikeness>> find_known(Database& journal);
[[nodiscard]] Status read_known(Database& journal, std::int64_t number, std::string& text);

}  // namespace histolab::batch
