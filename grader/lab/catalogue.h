// Catalogue: the labs of a folder, by number. A new folder `NN-slug` with a lab.json adds a lab.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::grader {

// Returns the labs sorted by number. Returns an Error for the first lab that does not load, for two
// labs with the same number (it names both), or if there are no labs.
[[nodiscard]] Result<std::vector<LabSpec>> load_catalogue(const std::string& labs_directory);

// Returns true if the name ends in a number, as copies of a file do ("race-1"). Names of labs never
// do: `uploaded.h` removes such a number.
[[nodiscard]] bool ends_in_number(std::string_view name);

[[nodiscard]] std::vector<std::string> names_of(const std::vector<LabSpec>& labs);

// Finds the lab for "02-atomic-add", "02", "2", "atomic-add", or for a prefix of a name or slug
// that fits only one lab. Returns an Error that names the candidates if several labs fit, or none.
[[nodiscard]] Result<std::size_t> find_lab_name(const std::vector<std::string>& names,
                                                std::string_view word);
[[nodiscard]] Result<const LabSpec*> find_lab(const std::vector<LabSpec>& labs,
                                              std::string_view word);

}  // namespace histolab::grader
