// Reads lab.json in three parts: kernels (lab_json_kernels.cpp), cases (lab_json.cpp) and checks
// (lab_json_checks.cpp). Each part reads its keys of the root into `lab` and records problems.
// load_lab (lab.h) calls them in this order.
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

// Does the work of load_lab. `file` is the name for messages; `directory` holds the lab's other
// files.
[[nodiscard]] Result<LabSpec> lab_from_json(const Json& json, const std::string& file,
                                            const std::string& directory);

}  // namespace histolab::grader
