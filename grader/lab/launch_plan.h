// LaunchShape: everything about one launch that follows from the lab's contract and a few numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "kernels/device.h"

namespace histolab::grader {

// How the kernels of this lab have to look.
[[nodiscard]] std::vector<kernels::KernelSignature> signatures_of(const LabSpec& lab);

// The lab's exports with the kernel's values, or the default where the kernel has none.
using Exports = std::map<std::string, std::uint32_t>;
// Error: a value out of its range; the sentence is for the student (it is a verdict, not a failure
// of the machine).
[[nodiscard]] Result<Exports> exports_of(const LabSpec& lab, const kernels::Compiled& compiled);

// One launch of one of the lab's kernels.
struct LaunchShape {
  std::size_t kernel = 0;  // of LabSpec::kernels
  reference::Binning binning;
  std::uint64_t length = 0;  // elements
  std::uint32_t grid = 1, block = 256;
  std::uint32_t offset = 0;  // bytes
  std::uint32_t copies = 1;  // results that the output has room for
  std::uint32_t dynamic_shared_bytes = 0;
};

[[nodiscard]] LaunchShape shape_of(const LabSpec& lab, const CaseSpec& spec,
                                   const Exports& exports);
[[nodiscard]] LaunchShape shape_of(const LabSpec& lab, const TimedCaseSpec& spec,
                                   const Exports& exports, std::uint32_t multiprocessors);
// Of a launch by hand: the kernel's own bins, and default_fixed_grid where the contract leaves the
// number of blocks to the case.
[[nodiscard]] LaunchShape shape_of(const LabSpec& lab, std::size_t kernel, const Exports& exports,
                                   std::uint64_t length, std::uint32_t block);
// 16 elements a thread or more, and at most 64 blocks.
[[nodiscard]] std::uint32_t default_fixed_grid(std::uint64_t length, std::uint32_t block);

// The kernel's arguments, in their order; which buffers `input` and `output` are is left open.
[[nodiscard]] std::vector<kernels::Argument> arguments_of(const LabSpec& lab,
                                                          const LaunchShape& shape);
[[nodiscard]] kernels::LaunchConfig config_of(const LabSpec& lab, const LaunchShape& shape);
[[nodiscard]] std::uint64_t input_bytes(
    const LaunchShape& shape);  // what lies before the data not counted
[[nodiscard]] std::uint64_t output_bytes(const LabSpec& lab, const LaunchShape& shape);

// "4 096 bytes", "1 sample": the data's length as a person reads it.
[[nodiscard]] std::string length_of(const LaunchShape& shape);

// Memory accesses and barriers that one thread may make: a thousand times what a plain solution
// needs for its share, so that a compare-and-swap loop under full contention passes.
[[nodiscard]] std::uint64_t step_budget(std::uint64_t length, std::uint64_t threads);

// The seed of a case's data: a hash (FNV-1a, then splitmix64's finalizer) of the report's seed, the
// lab and the case, so that another seed changes every input. Below 2^32, so that every JSON reader
// keeps it exactly.
[[nodiscard]] std::uint64_t case_seed(std::uint64_t seed, const std::string& lab,
                                      const std::string& case_id);

}  // namespace histolab::grader
