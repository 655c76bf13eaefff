// The journal of an ungraded class with one lab, the sample (grader/testing/sample.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/batch/journal.h"
#include "grader/lab/lab.h"

namespace histolab::batch::testing {

// Students and their kernels. An empty text means no submission.
using SampleClass = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] Journal sample_journal(const std::string& out,
                                     const std::vector<grader::LabSpec>& labs, const Meta& meta,
                                     const SampleClass& class_, bool resume = false);

[[nodiscard]] HandIns these(std::vector<HandIn> all);

// The whole class with all marks and Likeness, in memory.
[[nodiscard]] Result<ClassResults> read_class(const std::string& out);

}  // namespace histolab::batch::testing
