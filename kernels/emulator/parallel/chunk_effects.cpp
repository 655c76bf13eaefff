#include "kernels/emulator/parallel/chunk_effects.h"

#include <algorithm>
#include <cstring>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint8_t last_state = ByteState::updated + mergeable_updates - 1;

std::uint8_t joined(std::uint8_t state, std::uint8_t more) {
  return state == ByteState::untouched || state == more ? more : ByteState::changed;
}

// Returns the update that a state means, or `none` for other states.
MergeableUpdate update_of(std::uint8_t state) {
  return state > ByteState::updated && state <= last_state
             ? static_cast<MergeableUpdate>(state - ByteState::updated)
             : MergeableUpdate::none;
}

// Returns true if all bytes of the word that contains `offset` have this state.
bool is_whole_word(std::span<const std::uint8_t> states, std::size_t offset, std::uint8_t state) {
  const std::size_t bytes = bytes_of(update_of(state)), begin = offset / bytes * bytes;
  if (begin + bytes > states.size()) return false;
  return std::all_of(states.begin() + static_cast<std::ptrdiff_t>(begin),
                     states.begin() + static_cast<std::ptrdiff_t>(begin + bytes),
                     [&](std::uint8_t s) { return s == state; });
}

std::uint64_t load(std::span<const std::uint8_t> bytes, std::size_t offset, std::size_t width) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, width);
  return word;
}

// Returns the number of chunks that touched one of these bytes.
std::size_t chunks_at(std::span<const TouchedRegion> chunks, std::size_t offset,
                      std::size_t bytes) {
  return static_cast<std::size_t>(std::ranges::count_if(
      chunks, [&](const TouchedRegion& chunk) { return load(chunk.states, offset, bytes) != 0; }));
}

bool byte_fits(std::span<const TouchedRegion> chunks, std::size_t offset) {
  std::uint8_t common = ByteState::untouched;
  std::size_t touched = 0;
  for (const TouchedRegion& chunk : chunks) {
    const std::uint8_t state = chunk.states[offset];
    if (state == ByteState::untouched) continue;
    ++touched;
    if (common != ByteState::untouched && common != state) return false;
    common = state;
  }
  if (touched < 2 || common == ByteState::read) return true;
  if (update_of(common) == MergeableUpdate::none) return false;
  return std::ranges::all_of(chunks, [&](const TouchedRegion& chunk) {
    return chunk.states[offset] == ByteState::untouched ||
           is_whole_word(chunk.states, offset, common);
  });
}

}  // namespace

ChunkEffects::ChunkEffects(LaunchContext& context, const std::vector<TouchedRegion>& memory,
                           const std::vector<const Region*>& untracked,
                           std::span<const MergeableUpdate> updates, bool& unclear)
    : context_(context),
      updates_(updates),
      tracked_(context.window->regions().size()),
      unclear_(unclear) {
  for (const Region& region : context.window->regions())
    tracked_[region.id].ignored = region.space != Space::global;
  for (const Region* region : untracked) tracked_[region->id].ignored = true;
  for (const TouchedRegion& touched : memory)
    tracked_[touched.region->id].states = touched.states.data();
}

void ChunkEffects::on_access(const WarpAccess& access) {
  const Tracked& tracked = tracked_[access.region->id];
  // A runtime function that was called by an address has no known site, and its effects are
  // unknown.
  if (access.bytes == 0) unclear_ = true;
  if (tracked.ignored) return;
  if (tracked.states == nullptr) {
    unclear_ = true;
    return;
  }
  const bool aligned = (access.any_bits & (access.bytes - 1u)) == 0;
  std::uint8_t state = ByteState::read;
  if (writes(access.kind))
    state = aligned ? ByteState::by(updates_[access.site]) : ByteState::changed;
  if (access.bytes == 4 && aligned) {
    if (!is_atomic(access.kind)) return touch_words(tracked.states, access, access.active, state);
    // Many lanes access few words. They have been grouped for other observers already.
    const WordGroups& words = access.words();
    std::uint32_t one_of_each = 0;
    for (std::uint32_t i = 0; i < words.count; ++i)
      one_of_each |= words.lanes[i] & (0 - words.lanes[i]);
    return touch_words(tracked.states, access, one_of_each, state);
  }
  for_each_lane(access.active, [&](std::uint32_t lane) {
    std::uint8_t* states = tracked.states + access.offset[lane];
    for (std::uint32_t i = 0; i < access.bytes; ++i)
      if (states[i] != state) states[i] = joined(states[i], state);
  });
}

void ChunkEffects::touch_words(std::uint8_t* states, const WarpAccess& access, std::uint32_t lanes,
                               std::uint8_t state) {
  const std::uint32_t all_four = state * 0x01010101u;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    std::uint8_t* const four = states + access.offset[lane];
    std::uint32_t known;
    std::memcpy(&known, four, sizeof known);
    if (known == all_four) return;
    for (std::uint32_t i = 0; i < 4; ++i) four[i] = joined(four[i], state);
  });
}

bool fit_together(std::span<const TouchedRegion> chunks) {
  if (chunks.empty()) return true;
  const std::size_t size = chunks.front().states.size();
  for (std::size_t at = 0; at < size; at += 8) {
    const std::size_t bytes = std::min<std::size_t>(8, size - at);
    if (chunks_at(chunks, at, bytes) < 2) continue;
    for (std::size_t i = at; i < at + bytes; ++i)
      if (!byte_fits(chunks, i)) return false;
  }
  return true;
}

void merge_into_memory(std::span<const TouchedRegion> chunks) {
  if (chunks.empty()) return;
  const std::span<std::uint8_t> memory(chunks.front().region->begin, chunks.front().states.size());
  for (std::size_t at = 0; at < memory.size();) {
    const std::size_t eight = std::min<std::size_t>(8, memory.size() - at);
    if (at % 8 == 0 && chunks_at(chunks, at, eight) == 0) {
      at += eight;
      continue;
    }
    const auto updates_word = [&](const TouchedRegion& chunk) {
      return update_of(chunk.states[at]) != MergeableUpdate::none &&
             is_whole_word(chunk.states, at, chunk.states[at]);
    };
    const auto updated = std::ranges::find_if(chunks, updates_word);
    if (updated != chunks.end() && at % bytes_of(update_of(updated->states[at])) == 0) {
      const MergeableUpdate update = update_of(updated->states[at]);
      const std::size_t width = bytes_of(update);
      const std::uint64_t before = load(memory, at, width);
      std::uint64_t word = before;
      for (const TouchedRegion& chunk : chunks)
        if (chunk.states[at] != ByteState::untouched)
          word = merged(update, before, word, load(chunk.bytes, at, width));
      std::memcpy(memory.data() + at, &word, width);
      at += width;
      continue;
    }
    for (const TouchedRegion& chunk : chunks)
      if (chunk.states[at] > ByteState::read) memory[at] = chunk.bytes[at];
    ++at;
  }
}

}  // namespace histolab::kernels::emulator
