// LaunchShape: all parameters of one launch, derived from the lab's contract and a few numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "kernels/device.h"

namespace histolab::grader {

// Returns the signatures that this lab's kernels must have.
[[nodiscard]] std::vector<kernels::KernelSignature> signatures_of(const LabSpec& lab);

// The values of the lab's exports: the kernel's, or else the default.
using Exports = std::map<std::string, std::uint32_t>;
// Returns an Error if a value is out of range. The message is for the student: it is a verdict, not
// an infrastructure error.
[[nodiscard]] Result<Exports> exports_of(const LabSpec& lab, const kernels::Compiled& compiled);

// One launch of one of the lab's kernels.
struct LaunchShape {
  std::size_t kernel = 0;  // index into LabSpec::kernels
  reference::Binning binning;
  std::uint64_t length = 0;  // in elements
  std::uint32_t grid = 1, block = 256;
  std::uint32_t offset = 0;  // in bytes
  std::uint32_t copies = 1;  // results that the output has room for
  std::uint32_t dynamic_shared_bytes = 0;
};

[[nodiscard]] LaunchShape shape_of(const LabSpec& lab, const CaseSpec& spec,
                                   const Exports& exports);
[[nodiscard]] LaunchShape shape_of(const LabSpec& lab, const TimedCaseSpec& spec,
                                   const Exports& exports, std::uint32_t multiprocessors);
// The shape for `histolab run`: the kernel's own bins, and default_fixed_grid if the contract
// leaves the number of blocks to the case.
[[nodiscard]] LaunchShape shape_of(const LabSpec& lab, std::size_t kernel, const Exports& exports,
                                   std::uint64_t length, std::uint32_t block);
// Returns at most 64 blocks, with at least 16 elements per thread.
[[nodiscard]] std::uint32_t default_fixed_grid(std::uint64_t length, std::uint32_t block);

// Returns the kernel's arguments in order, without buffers for `input` and `output`.
[[nodiscard]] std::vector<kernels::Argument> arguments_of(const LabSpec& lab,
                                                          const LaunchShape& shape);
[[nodiscard]] kernels::LaunchConfig config_of(const LabSpec& lab, const LaunchShape& shape);
// Without the offset before the data.
[[nodiscard]] std::uint64_t input_bytes(const LaunchShape& shape);
[[nodiscard]] std::uint64_t output_bytes(const LabSpec& lab, const LaunchShape& shape);

// Returns the length for messages: "4 096 bytes", "1 sample".
[[nodiscard]] std::string length_of(const LaunchShape& shape);

// Returns the limit for memory accesses and barriers of one thread. It is a thousand times the need
// of a simple solution, so a compare-and-swap loop under full contention passes.
[[nodiscard]] std::uint64_t step_budget(std::uint64_t length, std::uint64_t threads);

// Returns the seed of a case's data: a hash (FNV-1a, then the finalizer of splitmix64) of the
// report's seed, the lab and the case. Another seed changes every input. The result is below 2^32,
// so every JSON reader keeps it exactly.
[[nodiscard]] std::uint64_t case_seed(std::uint64_t seed, const std::string& lab,
                                      const std::string& case_id);

}  // namespace histolab::grader
