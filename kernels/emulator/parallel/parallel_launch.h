// ParallelLaunch: the blocks of a launch on several processor cores, with the result that one core gives.
//
// Theory of operation
// -------------------
// *On trial.* A launch is cut into chunks of consecutive blocks, and each chunk runs in a forked
// child. Its memory is a copy of this process's, at the same addresses, made page by page when it
// is written. The launch's outputs may be shared with this process's caller; the child makes them
// private first. So chunks do not see each other, and this process waits and stays as it was before
// the launch. Each child has observers of its own, records its effects on memory (chunk_effects.h),
// and returns counters and memory in pages that both processes share.
//
// *Accepted or not.* The children's results become the launch's result only if they are certainly
// the same as if blocks had run one after another: each child ran to its end, none had anything to
// report (a finding, a note, a line printed), and the chunks' effects on memory fit together.
// Otherwise they are discarded and the caller runs the launch on one core, so its findings, output
// and counters are in the order of one core. In particular a race between blocks is never reported
// from here.
//
// *Early.* Blocks of one kernel are mostly alike: a conflict shows in the first block of each
// chunk. So states of memory are compared while the children run, and a child stops behind the
// block in which it finds something. If the launch must then be repeated on one core, it has lost
// little time.
//
// *Mistrust.* A child has run the kernel, so its data in the shared pages may be anything: sizes
// are known beforehand or checked (chunk_report.h), and no pointer comes from there. If a child
// crashes, is killed or writes nonsense, the launch is run on one core too, with the same reports
// as ever.
//
// *Never run in chunks:* kernels in whose launches anything but variables and buffers passes from
// block to block (module.h); kernels that order memory by fences, allocate, or have memory that
// begins unset; schedules whose generator continues from block to block; a second look; launches
// that are watched or recorded; launches without the observers of races and bounds, since then a
// conflict would not be detected; and launches too small to be worth it.
#pragma once

#include <optional>
#include <vector>

#include "kernels/emulator/parallel/spread.h"
#include "kernels/emulator/run/launch_blocks.h"

namespace histolab::kernels::emulator {

// A buffer that is mapped in the window.
struct MappedBuffer {
  const Region* region = nullptr;
  int fd = -1;
  bool of_this_launch = false;
};

// Returns nullopt if the launch has to run on one core, and has not begun.
[[nodiscard]] std::optional<Launched> launch_in_parallel(const LaunchPlan& plan, const std::vector<MappedBuffer>& buffers, const Spread& spread);

}  // namespace histolab::kernels::emulator
