// Finds the cause of wrong counts in the kernel's source: an index, a step or a bound that does not
// fit the launch.
//
// The rules are textual and careful: each needs a failed launch whose numbers contradict the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/lab/launch_plan.h"

namespace histolab::grader {

struct SourceCause {
  int line = 0;
  std::string why, next;
};

// Facts about the wrong launch.
struct WrongLaunch {
  std::string kernel;
  std::uint32_t grid = 1, block = 1;
  std::uint64_t length = 0;
  bool too_many = false;       // a bin is too high
  bool wants_shared = false;   // the lab asks for shared memory
  bool leaves_unread = false;  // some bytes of the data were not read
  std::string output;          // the argument's name; empty if the output does not begin with zeros
  // The index of a read beyond the end of the input.
  std::optional<std::uint64_t> beyond = {};
};

// Returns the first of these causes that the kernel's text shows:
// - a local array in a lab that asks for shared memory;
// - `<= length` or `length - 1` as the bound;
// - a line that zeroes the output, which is already zero;
// - a fixed block size, `blockIdx.x * 256 + threadIdx.x`, or gridDim.x instead of blockDim.x;
// - an index without blockIdx or threadIdx;
// - a step that is not the number of threads in the grid;
// - a loop whose body does not use its index.
[[nodiscard]] std::optional<SourceCause> source_cause(const std::string& text,
                                                      const WrongLaunch& launch);

}  // namespace histolab::grader
