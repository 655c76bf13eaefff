// ParallelLaunch: the blocks of a launch on several processor cores, with the result that one core gives.
//
// Theory of operation
// -------------------
// *On trial.* A launch is cut into chunks of consecutive blocks, and each chunk runs in a forked child: its memory is a copy of
// this process's, at the same addresses, made page by page when it is written. What the launch's outputs are shared with, this
// process's caller, is made private in the child first. So chunks do not see each other, and this process waits and stays as it
// was before the launch. Each child has observers of its own, keeps account of what it did to memory (chunk_effects.h), and
// hands back counters and memory in pages that both share.
//
// *Accepted or not.* What the children did is taken for the launch's result only where it is certain to be the same as if blocks
// had run one after another: each child ran to its end, nobody had anything to tell (a finding, a note, a line printed), and
// what chunks did to memory fits together. Else all of it is thrown away and the caller runs the launch by itself, and what it
// finds, prints and counts is in the order of one core. In particular a race between blocks is never told from here.
//
// *Soon.* Blocks of one kernel are mostly alike: what does not fit shows in the first of each chunk. So states of memory are
// compared while the children run, and a child stops behind the block in which it finds something. A launch that is run by itself
// after all has lost little time.
//
// *Mistrust.* A child has run the kernel, so what it leaves in the shared pages may be anything: sizes are known beforehand or
// checked (chunk_report.h), and no pointer comes from there. A child that crashes, is killed or writes nonsense is one more
// reason to run the launch here, where the same is told of as on one core.
//
// *Left alone.* Kernels in whose launches something besides variables and buffers passes from block to block (module.h),
// that order memory by fences, allocate, or have memory that begins unset; schedules whose generator goes on from block to block; a
// second look; launches that somebody watches or has recorded; launches for which nobody watches for races and bounds, since then nobody would know; and
// those too small to be worth it.
#pragma once

#include <optional>
#include <vector>

#include "kernels/emulator/emulator.h"
#include "kernels/emulator/launch_blocks.h"

namespace histolab::kernels::emulator {

// A buffer that is mapped in the window.
struct MappedBuffer {
  const Region* region = nullptr;
  int fd = -1;
  bool of_this_launch = false;
};

// nullopt: the launch has to be run by itself, and has not begun.
[[nodiscard]] std::optional<Launched> launch_in_parallel(const LaunchPlan& plan, const std::vector<MappedBuffer>& buffers, const Spread& spread);

}  // namespace histolab::kernels::emulator
