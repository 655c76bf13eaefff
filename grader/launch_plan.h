// LaunchPlan: everything about one launch that follows from the lab's contract and a few numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/lab.h"
#include "kernels/device.h"

namespace histolab::grader {

// How a kernel of this lab has to look.
[[nodiscard]] kernels::KernelSignature signature_of(const LabSpec& lab);

// The kernel's arguments for `length` elements, in their order; which buffers `input` and `output` are is left open.
[[nodiscard]] std::vector<kernels::Argument> arguments_of(const LabSpec& lab, std::uint64_t length);

[[nodiscard]] kernels::LaunchConfig config_of(const LabSpec& lab, std::uint32_t grid, std::uint32_t block);

// The lab's exports with the kernel's values, or the default where the kernel has none.
using Exports = std::map<std::string, std::uint32_t>;
// Error: a value out of its range; the sentence is for the student (it is a verdict, not a failure of the machine).
[[nodiscard]] Result<Exports> exports_of(const LabSpec& lab, const kernels::Compiled& compiled);

// Blocks that the contract gives; at least 1. `fixed` is used where the contract leaves the number to the case.
[[nodiscard]] std::uint32_t grid_of(const LabSpec& lab, const Exports& exports, std::uint64_t length,
                                    std::uint32_t block, std::uint32_t fixed);
// What `run` takes for `fixed`: 16 elements a thread or more, and at most 64 blocks.
[[nodiscard]] std::uint32_t default_fixed_grid(std::uint64_t length, std::uint32_t block);

// Memory accesses and barriers that one thread may make: a thousand times what a plain solution needs for its share,
// so that a compare-and-swap loop under full contention passes.
[[nodiscard]] std::uint64_t step_budget(std::uint64_t length, std::uint64_t threads);

// The seed of a case's data: a hash (FNV-1a, then splitmix64's finalizer) of the report's seed, the lab and the case, so
// that another seed changes every input. Below 2^32, so that every JSON reader keeps it exactly.
[[nodiscard]] std::uint64_t case_seed(std::uint64_t seed, const std::string& lab, const std::string& case_id);

}  // namespace histolab::grader
