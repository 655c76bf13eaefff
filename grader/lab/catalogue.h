// Catalogue: the labs of a folder, by number. Dropping a folder `NN-slug` with a lab.json in adds a
// lab.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::grader {

// Sorted by number. Error: the first lab that does not load; two labs with one number (names both);
// no lab at all.
[[nodiscard]] Result<std::vector<LabSpec>> load_catalogue(const std::string& labs_directory);

// Does it end as copies of a file do ("race-1")? No lab's name does: `uploaded.h` takes such a
// number off.
[[nodiscard]] bool ends_in_number(std::string_view name);

[[nodiscard]] std::vector<std::string> names_of(const std::vector<LabSpec>& labs);

// What a person means by "02-atomic-add", "02", "2", "atomic-add" or a prefix of a name or slug
// that fits one lab. Error: none or several fit; the message names them.
[[nodiscard]] Result<std::size_t> find_lab_name(const std::vector<std::string>& names,
                                                std::string_view word);
[[nodiscard]] Result<const LabSpec*> find_lab(const std::vector<LabSpec>& labs,
                                              std::string_view word);

}  // namespace histolab::grader
