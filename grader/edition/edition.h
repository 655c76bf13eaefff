// The student edition: the kit's sources and labs without what gives the answers away, as files of
// an archive or a folder.
//
//   sources + stubs, lessons, hints, questions, recorded numbers + pages for students + a README ->
//   files
//
// It holds what this list names and nothing else: a file that a lab's author adds stays out unless
// a page of the lab links to it. leaks.h proves the result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/bundle/zip.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::edition {

struct StudentEdition {
  std::string tree;                             // the kit's source tree
  std::string measurements;                     // the folder of the measurements
  std::vector<grader::LabSpec> labs;            // those that it holds
  std::map<std::string, std::string> recorded;  // by the lab's name: its recorded numbers, as JSON
};

// Returns an Error if a file cannot be read or a quiz does not load.
[[nodiscard]] Result<std::vector<bundle::File>> files_of(const StudentEdition& edition);

// The page without links to files that are missing from `files`: their text stays. `path` is the
// page's own.
[[nodiscard]] std::string without_dead_links(const std::string& path, const std::string& page,
                                             const std::vector<bundle::File>& files);

}  // namespace histolab::edition
