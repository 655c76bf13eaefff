// How lab.json is read, in three parts: what the kernels are (lab_json_kernels.cpp), the cases
// (lab_json.cpp), the rubric (lab_json_checks.cpp). Each reads its keys of the root into `lab` and
// notes what is wrong; load_lab (lab.h) calls them in this order.
#pragma once

#include <cstdint>

#include "grader/files/json_reader.h"
#include "grader/lab/lab.h"

namespace histolab::grader {

inline constexpr long long largest_word = 0xFFFFFFFF;
inline std::uint32_t word(long long value) { return static_cast<std::uint32_t>(value); }

void read_exports(ObjectReader& root, LabSpec& lab, Problems& problems);
void read_kernels(ObjectReader& root, LabSpec& lab, Problems& problems);
void read_checks(ObjectReader& root, LabSpec& lab, Problems& problems);

// load_lab of a description that is called `file`, of the lab whose other files lie in `directory`.
[[nodiscard]] Result<LabSpec> lab_from_json(const Json& json, const std::string& file,
                                            const std::string& directory);

}  // namespace histolab::grader
