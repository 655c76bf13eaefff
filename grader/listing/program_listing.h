// The listing of a whole program: each file that its launches or findings name, annotated.
// listing_html.h makes a page of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/feedback/text.h"
#include "grader/listing/annotated.h"
#include "kernels/device.h"

namespace histolab::grader {

struct ExplainedProgram {
  std::string name;       // its first source, as in findings
  std::string what = {};  // the launches that are counted: "3 launches"
  // Of launches that did not complete: "launch 2: timed_out: ...".
  std::vector<std::string> endings = {};
  // Traffic by file and line. Accesses whose file is unknown count for `name`, line 0.
  std::map<std::string, std::map<int, reference::Traffic>> lines = {};
  std::vector<kernels::Finding> findings = {};
  std::map<std::string, std::string> texts =
      {};  // of files by name; a file without text is not shown
};

// Adds a launch's traffic and, if it did not complete, its ending.
void add_launch(ExplainedProgram& program, std::uint64_t number,
                const kernels::Observation& observation);

// Returns the files of `lines` and `findings`, `name` first.
[[nodiscard]] std::vector<std::string> files_of(const ExplainedProgram& program);

// The files that have a text, in that order. The findings are the program's.
[[nodiscard]] std::vector<Annotated> annotated_files(const ExplainedProgram& program);

[[nodiscard]] std::string listing(const ExplainedProgram& program, const TextOptions& options);

}  // namespace histolab::grader
