// Leaks: the parts of solutions, attempts, answers and instructors' notes in a student edition.
//
// Names do not decide alone, since a leak may have any name: every file is compared with each
// kernel that must stay out.
//
// - A file is like a kernel: it has half of the runs of run_of_tokens tokens that the kernel has
//   and its lab's stub has not. Names and numbers count as equal. Comments, quotes and the marks of
//   a diff do not count. Stubs may be like other labs' solutions: a later lab begins where an
//   earlier one ended.
// - A file has a line of a solution that no stub has, in whatever spacing.
// - A file has a sentence of instructor.md, or of an explanation of a quiz or an attempt.
// - A quiz.json has keys, and a file or folder has a name of one that must stay out.
//
// A lab's shown.txt lists the lines and sentences that its pages show on purpose.
#pragma once

#include <string>
#include <vector>

#include "grader/bundle/zip.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::edition {

inline constexpr std::size_t run_of_tokens = 10;

struct Leak {
  std::string file;
  std::string what;  // "80 % of labs/04-privatization/solution.cu"
};

// `labs` must be all labs of the whole kit, `files` those of the edition. The leaks are sorted by
// file, then in the order of the list above. Returns an Error if a file of the kit cannot be read.
[[nodiscard]] Result<std::vector<Leak>> find_leaks(const std::vector<bundle::File>& files,
                                                   const std::vector<grader::LabSpec>& labs);

}  // namespace histolab::edition
