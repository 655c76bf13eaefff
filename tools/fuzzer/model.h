// What a kernel does, worked out the slow way: a block's threads execute each statement together,
// with a mask of those that are active; they part at a branch or a loop and meet again behind it.
// It shares no code with the emulator. Counters are worked out from docs/counters.md.
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
      faults;  // empty: histo and counters are what every schedule must come to
  bool shared_race = false;
  bool unclear_additions = false;  // to shared memory, of what g++ may find to be 1 each time
  bool in_pieces = false;          // g++ chooses how many accesses make some of the copies
  // g++ may copy by accesses that overlap, or keep in a register what it has just stored.
  bool unclear_bytes = false;
  // A thread got to an access by way of a loop's next round, and could have got there without
  // (hidden_rounds.h): the emulator may have counted other lanes together.
  bool hidden_round = false;
};

// `most_rounds`: of a loop, before it is taken for endless.
[[nodiscard]] Expected execute(const Program& program, std::uint32_t most_rounds);

// The histogram, one element after the other.
[[nodiscard]] std::vector<std::uint32_t> count_sequentially(const Program& program);

}  // namespace histolab::fuzzer
