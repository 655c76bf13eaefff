// Merge: takes the results of other journals, such as those of shards, into the journal of the
// class.
//
// The class and its gradings come from the merging process: it reads the hand-ins with its own
// labs, seed and rubric. A result is taken only if its grading, the hash of everything that it
// depends on, belongs to the same submission of that class. So results of another class, seed or
// version never count, and neither do damaged rows, or rows whose report says something else. If
// the machine failed at a submission, its result is left out, so that the merging process grades it
// again. If two results of a submission disagree, it is left to a person (second_result.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/journal.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::batch {

struct Merged {
  std::size_t taken = 0;         // results that the journal did not have
  std::size_t known = 0;         // results that agree with one that it had
  std::size_t disputed = 0;      // results that disagree
  std::size_t without_mark = 0;  // left out: the machine failed
  std::size_t foreign = 0;       // of another class, seed or version
  std::size_t damaged = 0;
};

// Takes the results of the journal in the folder `from`. Both journals' machines have to grade in
// the same way: returns an Error if versions, seeds, devices, compilers or sandboxes differ, or if
// a lab's solution has another report. Also if `from` has no readable journal.
[[nodiscard]] Result<Merged> merge_from(Journal& journal, const std::string& from,
                                        const std::vector<grader::LabSpec>& labs);

// "36 results; 2 of another class, seed or version".
[[nodiscard]] std::string to_text(const Merged& merged);

}  // namespace histolab::batch
