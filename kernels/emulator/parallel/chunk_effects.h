// ChunkEffects: the effects of a chunk, some of a launch's blocks, on memory that other blocks see
// too. Also whether chunks that ran apart, each on the memory as it was before the launch, have the
// same results as chunks that run one after another.
//
// Each byte of global memory that a kernel may write has a state: the effect of this chunk on it. A
// state only moves upwards: from untouched to read, or to updated by one mergeable operation whose
// result is not used (mergeable_update.h, call_facts.h), and from there to changed, which is
// anything else. States of one byte fit together if at most one chunk touched it, if all chunks
// that did only read it, or if all that did updated it by one operation. Then no chunk saw any
// effect of another one, so each did the same as on one core, and their results for a byte can be
// merged. There is no race between them either: states never fit if the race observer would report
// two blocks.
//
// Shared memory is different in each block, and the inputs of a launch never change. A kernel can
// have kept a pointer to a buffer of an earlier launch. That may be the same memory at another
// address: then the state is unclear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/module/mergeable_update.h"
#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

// The states of a region's bytes are these, and updated + the number of a MergeableUpdate.
struct ByteState {
  static constexpr std::uint8_t untouched = 0, read = 1, changed = 2, updated = 2;
  static constexpr std::uint8_t by(MergeableUpdate update) {
    return update == MergeableUpdate::none ? changed : static_cast<std::uint8_t>(updated + static_cast<std::uint8_t>(update));
  }
};

// For one chunk and one region, in memory that several processes share.
struct TouchedRegion {
  const Region* region = nullptr;
  std::span<std::uint8_t> states;  // of its bytes
  std::span<std::uint8_t> bytes;   // what they were when the chunk had run
};

class ChunkEffects final : public Observer {
 public:
  // `memory`: the regions to keep states of. `untracked`: inputs of this launch. `updates`: per
  // site; `none` if the result is used. `unclear`: becomes true if something happened that the
  // states do not show.
  ChunkEffects(LaunchContext& context, const std::vector<TouchedRegion>& memory, const std::vector<const Region*>& untracked,
               std::span<const MergeableUpdate> updates, bool& unclear);
  void on_access(const WarpAccess& access) override;
  // If this chunk has anything to report, the whole launch must report it in its own order. So the
  // chunk need not continue.
  void on_block_end() override { context_.decided |= unclear_ || !context_.findings->findings().empty(); }

 private:
  void touch_words(std::uint8_t* states, const WarpAccess& access, std::uint32_t lanes, std::uint8_t state);

  LaunchContext& context_;
  std::span<const MergeableUpdate> updates_;
  struct Tracked {
    std::uint8_t* states = nullptr;
    bool ignored = false;
  };
  std::vector<Tracked> tracked_;  // by the region's id
  bool& unclear_;
};

// Compares the effects on one region, chunk by chunk. May be called while chunks still run: a
// conflict never goes away.
[[nodiscard]] bool fit_together(std::span<const TouchedRegion> chunks);
// Merges the chunks' results into the region's memory, which is as it was before the launch. They
// fit together.
void merge_into_memory(std::span<const TouchedRegion> chunks);

}  // namespace histolab::kernels::emulator
