#include "kernels/emulator/run/polled_words.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/emulator/run/memory_checksum.h"

namespace histolab::kernels::emulator {
namespace {

std::uint64_t value_of(const PolledWords::Word& word) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(word.address), word.bytes);
  return value;
}

// Returns true if the access depends on the value in memory.
bool asks(const Site& site) {
  return is_question(site.kind) && (!is_atomic(site.kind) || site.result_used);
}

// Other atomic operations may only read the word, such as an addition of 0.
bool surely_changes(const Site& site) {
  return site.kind == AccessKind::store || site.effect != AtomicEffect::other;
}

}  // namespace

void PolledWords::note(std::uint32_t warp, const Warp& lanes, const WarpLog& log) {
  constexpr std::size_t most = 64;
  if (searches_) return;
  if (!global_before_) {
    global_before_ = global_checksum(*context_.window);
    words_.clear();
  }
  for_each_lane(lanes.live(), [&](std::uint32_t lane) {
    for (const std::uint64_t record : log.records(lane, lanes.cursor[lane])) {
      const Site& site = (*context_.sites)[WarpLog::site(record)];
      if (!asks(site)) continue;
      const Word word{.address = WarpLog::address(record),
                      .bytes = std::min<std::uint64_t>(site.bytes, 8),
                      .site = WarpLog::site(record),
                      .lane = warp * 32 + lane};
      if (words_.size() == most ||
          std::ranges::find(words_, word.address, &Word::address) != words_.end())
        continue;
      const Region* region = context_.window->find(word.address);
      if (region != nullptr && region->space == Space::global &&
          region->holds(word.address, word.bytes))
        words_.push_back(word);
    }
  });
}

void PolledWords::note_unchanged() { global_before_ = global_checksum(*context_.window); }

void PolledWords::settle() {
  if (global_before_ != global_checksum(*context_.window)) words_.clear();
}

bool PolledWords::begin_search() {
  for (Word& word : words_) word.value = value_of(word);
  searches_ = !words_.empty();
  return searches_;
}

void PolledWords::search(std::uint32_t warp, std::uint32_t existing, const Warp& lanes,
                         const WarpLog& log) {
  if (writer_) return;
  bool is_sure = false;
  for_each_lane(existing, [&](std::uint32_t lane) {
    for (const std::uint64_t record : log.records(lane, lanes.cursor[lane])) {
      if (is_sure) return;
      const SiteNumber number = WarpLog::site(record);
      const Site& site = (*context_.sites)[number];
      if (!writes(site.kind) || (writer_ && !surely_changes(site))) continue;
      const std::uint64_t address = WarpLog::address(record);
      const auto written = std::ranges::find_if(words_, [&](const Word& word) {
        return word.address < address + site.bytes && address < word.address + word.bytes;
      });
      // The polled site itself is excluded: another thread polls there, or tries the same swap.
      if (written == words_.end() || written->site == number) continue;
      if (value_of(*written) == written->value) continue;
      writer_ = Writer{*written, context_.block, warp * 32 + lane, number};
      is_sure = surely_changes(site);
    }
  });
}

std::optional<PolledWords::Writer> PolledWords::end_search() {
  searches_ = false;
  return std::exchange(writer_, std::nullopt);
}

}  // namespace histolab::kernels::emulator
