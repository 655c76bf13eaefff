// Races: two accesses to one place, by different threads, one of them a write, not both atomic, and nothing between them
// that orders the two. Also reads of shared memory that nobody has written yet.
//
// What is known of a place is one Cell: who read, wrote or atomically updated it in the current epoch (the time between
// two barriers of the block), which kinds of access earlier epochs of this block and earlier blocks made, and whether it
// was written in this block. Cells belong to four bytes; once an access narrower than that touches a region, to one byte
// each. Epoch numbers never repeat, so nothing is cleared at a barrier.
//
// Two threads of a warp are also ordered by a __syncwarp that both took part in. The order among blocks is never known.
//
// A compare-and-swap loop may begin with a plain read of the word: it can be stale, and then the swap fails. So where a
// kernel has compare-and-swaps at all, a plain read is held back until the same thread's next step on that word: if that
// is a compare-and-swap, the read counts as part of it; a barrier, a store or the end of the block makes it a plain read.
// A volatile read that meets only atomics is no race either.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/observer.h"

namespace histolab::kernels::emulator {

class RaceObserver final : public Observer {
 public:
  RaceObserver(LaunchContext& context, bool report_races, bool report_uninitialized);
  void on_block_begin() override;
  void on_access(const WarpAccess& access) override;
  void on_warp_sync(std::uint32_t warp, std::uint32_t mask) override;
  void on_barrier() override { release_held_reads(); }
  void on_block_end() override { release_held_reads(); }

 private:
  enum Kind : std::uint8_t { plain_read, volatile_read, write, atomic };
  static constexpr std::uint32_t kinds = 4;

  // Who made accesses of one kind to a cell in the current epoch.
  struct Party {
    static constexpr std::uint16_t nobody = 0xffff, many = 0xfffe, several_of_warp = 0x8000;
    std::uint16_t who = nobody;  // a thread, several_of_warp | warp, or many
    SiteNumber site = 0;         // of the latest
    std::uint32_t when = 0;      // the warp's clock at the latest
  };
  struct Place {
    SiteNumber site = 0;
    std::uint16_t thread = 0;
    std::uint32_t block = 0;
  };
  struct Cell {
    std::uint32_t epoch = 0;    // of `now` and `party`
    std::uint8_t now = 0;       // bit per Kind
    std::uint8_t before = 0;    // in earlier epochs of the block that `epoch` belongs to
    std::uint8_t earlier = 0;   // by earlier blocks
    bool written = false;       // by the block that `epoch` belongs to
    std::array<Party, kinds> party{};
    std::array<Place, kinds> latest{};    // of the block that `epoch` belongs to; global memory only
    std::array<Place, kinds> previous{};  // of earlier blocks
  };
  struct Shadow {
    std::uint32_t bytes_per_cell = 4;
    std::vector<Cell> cells;
  };
  struct HeldRead {
    const Region* region = nullptr;
    std::uint32_t offset = 0;
    std::uint8_t bytes = 0;
    SiteNumber site = 0;
  };
  static constexpr std::uint32_t held_reads = 4;  // a thread's; one more makes the oldest a plain read

  static Kind kind_of(AccessKind kind);
  Shadow& shadow_of(const Region& region, std::uint32_t bytes, std::uint32_t low_bits);
  void see(Shadow& shadow, const Region& region, std::uint32_t offset, std::uint32_t bytes, Kind kind, AccessKind access,
           SiteNumber site, std::uint32_t thread);
  void see_cell(Cell& cell, const Region& region, std::uint32_t offset, std::uint32_t bytes, Kind kind, AccessKind access,
                SiteNumber site, std::uint32_t thread);
  void enter_epoch(Cell& cell, bool shared) const;
  void join(Party& party, SiteNumber site, std::uint32_t thread);
  [[nodiscard]] bool ordered(const Party& party, std::uint32_t thread) const;
  void hold(const WarpAccess& access);
  void validate_or_release(const WarpAccess& access);
  void release(std::uint32_t thread, HeldRead& read);
  void release_held_reads();
  void report_race(const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access, SiteNumber site,
                   std::uint32_t thread, Kind other_kind, SiteNumber other_site, std::uint32_t other_thread,
                   std::uint32_t other_block);
  void report_uninitialized(const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access,
                            SiteNumber site, std::uint32_t thread);
  [[nodiscard]] std::uint32_t some_other_thread(const Party& party, std::uint32_t thread) const;

  // Words of a region that many threads have updated atomically in this epoch, and nobody touched otherwise: one more
  // such update changes nothing.
  struct Settled {
    const Region* region = nullptr;
    std::uint32_t epoch = 0;
    std::uint64_t words = 0;  // of the region's first 64, as bits
  };

  LaunchContext& context_;
  const bool races_, uninitialized_;
  std::vector<Shadow> shadows_;  // of each region, by id
  Settled settled_;
  std::vector<std::array<HeldRead, held_reads>> held_;  // of each thread; empty when the kernel has no compare-and-swap
  bool any_held_ = false;
  // Warp clocks: known_[warp][a*32+b] is the latest time of lane b that lane a has synchronized with. Empty until the
  // first __syncwarp of a warp.
  std::vector<std::vector<std::uint32_t>> known_;
  std::vector<std::array<std::uint32_t, 32>> clock_;
  std::unordered_map<std::uint64_t, std::size_t> reported_;  // (region, kind of finding, sites) -> number in the log
};

}  // namespace histolab::kernels::emulator
