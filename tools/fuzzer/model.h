// A slow model of kernels. The threads of a block execute each statement together, with a mask of
// active threads. They diverge at a branch or a loop and reconverge behind it. The model shares no
// code with the emulator. Its counters follow docs/counters.md.
#pragma once

#include <set>
#include <vector>

#include "kernels/finding.h"
#include "reference/counters.h"
#include "tools/fuzzer/program.h"

namespace histolab::fuzzer {

struct Expected {
  std::vector<std::uint32_t> histo;  // after all launches
  reference::Counters
      counters;  // of one launch: each makes the same accesses. Without the bytes of shared memory
  std::set<kernels::FindingKind>
      faults;  // if empty, every schedule must give this histo and these counters
  bool shared_race = false;
  bool unclear_additions =
      false;               // additions to shared memory whose addend g++ may find to be always 1
  bool in_pieces = false;  // g++ chooses the number of accesses of some copies
  // g++ may copy with overlapping accesses, or keep a value in a register that it has just stored.
  bool unclear_bytes = false;
  // A thread reached an access through a loop's next iteration, although it could have reached it
  // without (hidden_rounds.h). The emulator may have grouped lanes differently.
  bool hidden_round = false;
};

// `most_rounds`: number of iterations after which a loop counts as endless.
[[nodiscard]] Expected execute(const Program& program, std::uint32_t most_rounds);

// Computes the histogram sequentially.
[[nodiscard]] std::vector<std::uint32_t> count_sequentially(const Program& program);

}  // namespace histolab::fuzzer
