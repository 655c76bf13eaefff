#include "kernels/emulator/observers/copied_reads.h"

#include <algorithm>

#include "kernels/emulator/code/value_flow.h"

namespace histolab::kernels::emulator {

CopiedReads::CopiedReads(LaunchContext& context) : context_(context) {
  const std::size_t lanes = (context.config.block.count() + 31) / 32 * 32;
  read_.of_own_block.resize(lanes);
  read_.of_other_blocks.resize(lanes);
  last_.resize(lanes);
}

std::uint32_t CopiedReads::first_thread(const WarpAccess& access) const {
  const auto threads = static_cast<std::uint32_t>(context_.config.block.count());
  return context_.block * threads + access.warp * 32 + 1;
}

void CopiedReads::count(const WarpAccess& access) {
  const auto found = marks_.find(access.region);
  if (found == marks_.end()) return;
  const Marks& marks = found->second;
  const std::uint32_t first = first_thread(access), of_block = first - access.warp * 32;
  const auto threads = static_cast<std::uint32_t>(context_.config.block.count());
  for_each_lane(access.active, [&](std::uint32_t lane) {
    const std::uint32_t begin = access.offset[lane], end = begin + access.bytes;
    for (std::uint32_t word = begin / 4; word * 4 < end && word < marks.size(); ++word) {
      const std::uint32_t by = marks[word];
      if (by == 0 || by == sum) continue;
      add_source(access.site);
      if (by == first + lane) continue;
      if (access.kind >= AccessKind::volatile_load) {
        LastWord& last = last_[access.warp * 32 + lane];
        if (last == LastWord{access.region, word}) continue;
        last = {access.region, word};
      }
      auto& bytes = by - of_block < threads ? read_.of_own_block : read_.of_other_blocks;
      has_read_ = true;
      bytes[access.warp * 32 + lane] += std::min(end, word * 4 + 4) - std::max(begin, word * 4);
    }
  });
}

bool CopiedReads::stores_input(SiteNumber site) {
  Store& store = stores_[site];
  if (!context_.value_flow) return false;
  ValueFlow& flow = context_.value_flow();
  const SiteTable& sites = *context_.sites;
  for (; !store.is_input && store.looked_at < sources_.size(); ++store.looked_at) {
    const SiteNumber source = sources_[store.looked_at];
    // The analysis cannot follow values through memcpy(), which reads and writes in one line.
    const bool is_moved = sites[source].line == sites[site].line && !flow.can_follow(source);
    // It cannot find some stores. These may store the value, unless they store a pointer (8 bytes).
    const bool is_unknown = sites[site].bytes != 8 && !flow.can_reach(site);
    store.is_input = is_moved || is_unknown || flow.carries(source, site);
  }
  return store.is_input;
}

void CopiedReads::mark(const WarpAccess& access, bool adds) {
  if (access.region->is_read_only()) return;
  if (!stores_input(access.site)) return;
  Marks& marks = marks_[access.region];
  const std::uint64_t end = std::min<std::uint64_t>(
      (std::uint64_t{access.highest} + access.bytes + 3) / 4, max_bytes / 4);
  if (marks.size() < end) marks.resize(std::max<std::size_t>(end, marks.size() * 2));
  const std::uint32_t first = first_thread(access);
  for_each_lane(access.active, [&](std::uint32_t lane) {
    const std::uint32_t begin = access.offset[lane];
    for (std::uint32_t word = begin / 4; word * 4 < begin + access.bytes; ++word) {
      if (word >= marks.size()) break;
      const bool is_sum = adds && marks[word] != 0 && marks[word] != first + lane;
      marks[word] = is_sum ? sum : first + lane;
    }
  });
}

CopiedReads::Block CopiedReads::suspend_block() {
  Block block{.shared = {}, .read = read_};
  std::erase_if(marks_, [&](auto& each) {
    if (each.first->space != Space::shared) return false;
    block.shared.insert(std::move(each));
    return true;
  });
  forget_read();
  return block;
}

void CopiedReads::forget_read() {
  if (!has_read_) return;
  std::ranges::fill(read_.of_own_block, 0);
  std::ranges::fill(read_.of_other_blocks, 0);
  has_read_ = false;
}

void CopiedReads::resume_block(Block block) {
  marks_.merge(block.shared);
  read_ = std::move(block.read);
  has_read_ = true;
}

void CopiedReads::end_block() {
  std::erase_if(marks_, [](const auto& each) { return each.first->space == Space::shared; });
  forget_read();
}

}  // namespace histolab::kernels::emulator
