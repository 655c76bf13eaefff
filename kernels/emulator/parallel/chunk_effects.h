// ChunkEffects: the effects of a chunk of blocks on memory that other blocks see, too.
//
// Also decides if chunks that ran separately have the results of one core. See docs/emulator.md,
// "Room parallel".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/module/mergeable_update.h"

namespace histolab::kernels::emulator {

// The state of a byte is one of these, or `updated` plus the number of a MergeableUpdate.
struct ByteState {
  static constexpr std::uint8_t untouched = 0, read = 1, changed = 2, updated = 2;
  static constexpr std::uint8_t by(MergeableUpdate update) {
    return update == MergeableUpdate::none
               ? changed
               : static_cast<std::uint8_t>(updated + static_cast<std::uint8_t>(update));
  }
};

// A chunk's effects on one region, in memory that several processes share.
struct TouchedRegion {
  const Region* region = nullptr;
  std::span<std::uint8_t> states;  // per byte of the region
  std::span<std::uint8_t> bytes;   // contents of the region after the chunk
};

class ChunkEffects final : public Observer {
 public:
  // `memory`: the regions with states. `untracked`: inputs of this launch. `updates`: per site,
  // `none` if the result is used. `unclear`: becomes true after an effect that the states do not
  // show.
  ChunkEffects(LaunchContext& context, const std::vector<TouchedRegion>& memory,
               const std::vector<const Region*>& untracked,
               std::span<const MergeableUpdate> updates, bool& unclear);
  void on_access(const WarpAccess& access) override;
  // If this chunk has a finding, the launch must run on one core anyway, for the order of findings.
  // So the chunk stops.
  void on_block_end() override {
    context_.decided |= unclear_ || !context_.findings->findings().empty();
  }

 private:
  void touch_words(std::uint8_t* states, const WarpAccess& access, std::uint32_t lanes,
                   std::uint8_t state);

  LaunchContext& context_;
  std::span<const MergeableUpdate> updates_;
  struct Tracked {
    std::uint8_t* states = nullptr;
    bool ignored = false;
  };
  std::vector<Tracked> tracked_;  // by region id
  bool& unclear_;
};

// Returns true if the chunks' effects on one region do not conflict. May be called while chunks
// still run: a conflict never goes away.
[[nodiscard]] bool fit_together(std::span<const TouchedRegion> chunks);
// Merges the chunks' results into the region's memory, which must be as before the launch. The
// chunks must fit together.
void merge_into_memory(std::span<const TouchedRegion> chunks);

}  // namespace histolab::kernels::emulator
