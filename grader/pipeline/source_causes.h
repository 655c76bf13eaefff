// What in a source's text explains wrong counts: an index, a step or a bound that does not fit the
// launch.
//
// Textual and careful: a rule speaks only if the numbers of the launch that failed contradict the
// text.
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

// What the wrong launch shows.
struct WrongLaunch {
  std::string kernel;
  std::uint32_t grid = 1, block = 1;
  std::uint64_t length = 0;
  bool too_many = false;       // a bin is too high
  bool wants_shared = false;   // the lab asks for shared memory
  bool leaves_unread = false;  // bytes of the data that no thread read
  std::string output;          // its argument; empty: it does not begin with zeros
  std::optional<std::uint64_t> beyond =
      {};  // the input was read at this index, which it does not have
};

// Returns the first of these that the text of the kernel shows:
// - a local array in a lab that asks for shared memory;
// - `<= length` or `length - 1` as the bound;
// - a line that zeroes the output, which is zero already;
// - a fixed number of threads in a block: `blockIdx.x * 256 + threadIdx.x`; or gridDim.x in its
// place;
// - an index without blockIdx or threadIdx;
// - a step that is not the number of threads in the grid;
// - a loop whose body does not use its index.
[[nodiscard]] std::optional<SourceCause> source_cause(const std::string& text,
                                                      const WrongLaunch& launch);

}  // namespace histolab::grader
