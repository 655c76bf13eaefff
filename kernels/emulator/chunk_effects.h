// ChunkEffects: what some of a launch's blocks, its chunk, did to memory that other blocks see too; and whether chunks that
// ran apart, each on the memory as it was before the launch, come to what they would have come to one after another.
//
// Each byte of global memory that a kernel may write has a state: what this chunk did to it. Only ever upwards: from untouched
// to read, or to updated by one mergeable operation whose result nobody looks at (mergeable_update.h, call_facts.h), and
// from there to changed, which is anything else. States of one byte fit together when at most one chunk touched it, when
// all that did only read it, or when all that did updated it by one operation. Then no chunk saw anything of another one,
// so it did what it would have done; and what each made of a byte can be put together. There is no race between them either:
// of what the race observer tells of two blocks, nothing fits.
//
// Shared memory is another one in each block, and the inputs of a launch never change. A buffer of an earlier launch, to which
// a kernel can have kept a pointer, may be the same memory at another address: then nothing is clear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/mergeable_update.h"
#include "kernels/emulator/observer.h"

namespace histolab::kernels::emulator {

// The states of a region's bytes are these, and updated + the number of a MergeableUpdate.
struct ByteState {
  static constexpr std::uint8_t untouched = 0, read = 1, changed = 2, updated = 2;
  static constexpr std::uint8_t by(MergeableUpdate update) {
    return update == MergeableUpdate::none ? changed : static_cast<std::uint8_t>(updated + static_cast<std::uint8_t>(update));
  }
};

// Of one chunk and one region, in memory that several processes share.
struct TouchedRegion {
  const Region* region = nullptr;
  std::span<std::uint8_t> states;  // of its bytes
  std::span<std::uint8_t> bytes;   // what they were when the chunk had run
};

class ChunkEffects final : public Observer {
 public:
  // `memory`: the regions to keep states of. `untracked`: inputs of this launch. `updates`: of each site; `none` where the
  // result is looked at. `unclear`: becomes true when something happened of which the states do not tell.
  ChunkEffects(LaunchContext& context, const std::vector<TouchedRegion>& memory, const std::vector<const Region*>& untracked,
               std::span<const MergeableUpdate> updates, bool& unclear);
  void on_access(const WarpAccess& access) override;
  // Whatever there is to tell of this chunk, the whole launch has to tell it in its own order: no need to go on.
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

// Chunk by chunk, what was done to one region. Safe to ask while chunks still run: what does not fit never will.
[[nodiscard]] bool fit_together(std::span<const TouchedRegion> chunks);
// Puts what they made of the region into its memory, which is as it was before the launch. They fit together.
void merge_into_memory(std::span<const TouchedRegion> chunks);

}  // namespace histolab::kernels::emulator
