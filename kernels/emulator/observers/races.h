// RaceObserver: reports races, and reads of shared memory that no thread has written yet.
//
// It watches rows, after the fact. Kernels with fences, and those that allocate, need lane_races.h.
// See docs/emulator.md, "Room observers".
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/observers/held_reads.h"
#include "kernels/emulator/observers/race_cells.h"
#include "kernels/emulator/observers/race_findings.h"
#include "kernels/emulator/observers/shared_written.h"

namespace histolab::kernels::emulator {

// A race is two accesses to one address, by different threads. At least one is a write, they are
// not both atomic, and nothing orders them.
class RaceObserver final : public Observer {
 public:
  RaceObserver(LaunchContext& context, bool report_races, bool report_uninitialized);
  void on_block_begin() override;
  void on_access(const WarpAccess& access) override;
  void on_warp_sync(std::uint32_t warp, std::uint32_t mask) override;
  void on_barrier() override;
  void on_block_suspend() override;
  void on_grid_barrier() override;
  void on_block_resume() override;
  void on_block_end() override { release_held_reads(); }

 private:
  using Kind = RaceKind;
  using Shadow = RaceCells;

  // The latest accesses of one kind to a cell by lanes of one warp.
  struct WarpList {
    std::uint32_t lanes = 0;
    // mutant 32 -> 33: a warp has 32 lanes, so the 33rd is never used
    std::array<SiteNumber, 32> site{};
    // mutant 32 -> 33: a warp has 32 lanes, so the 33rd is never used
    std::array<std::uint32_t, 32> when{};  // the lane's clock then
    void set(std::uint32_t lane, SiteNumber at, std::uint32_t time) {
      lanes |= 1u << lane;
      site[lane] = at;
      when[lane] = time;
    }
  };

  [[nodiscard]] Kind kind_of(const WarpAccess& access, Shadow& shadow) const;
  Shadow& shadow_of(const Region& region, std::uint32_t bytes, std::uint32_t low_bits);
  void make_room(Shadow& shadow, Kind kind, bool shared) const;
  void see(Shadow& shadow, const Region& region, std::uint32_t offset, std::uint32_t bytes,
           Kind kind, AccessKind access, SiteNumber site, std::uint32_t thread);
  void record_cell(Shadow& shadow, std::uint32_t cell, const Region& region, std::uint32_t offset,
                   std::uint32_t bytes, Kind kind, AccessKind access, SiteNumber site,
                   std::uint32_t thread);
  void meet_others(const Shadow& shadow, std::uint32_t cell, const Region& region,
                   std::uint32_t offset, std::uint32_t bytes, Kind kind, AccessKind access,
                   Witness who);
  bool record_run(Shadow& shadow, const WarpAccess& access, Kind kind);
  void record_words(Shadow& shadow, const WarpAccess& access, Kind kind);
  bool record_first_of_kind(Shadow& shadow, std::uint32_t cell, const WarpAccess& access, Kind kind,
                            std::uint32_t lanes);
  bool record_group(Shadow& shadow, std::uint32_t cell, const WarpAccess& access, Kind kind,
                    std::uint32_t lanes);
  [[nodiscard]] bool changes_by_next(const Shadow& shadow, std::uint32_t cell,
                                     const WarpAccess& access, Kind kind) const;
  void report_times(const WarpAccess& access, std::uint32_t lane, Kind other, const Place& place,
                    std::uint64_t times);
  void report(const Shadow& shadow, std::uint32_t cell, const WarpAccess& access, Kind kind,
              std::uint32_t met, std::uint32_t lanes);
  void record_rest(Shadow& shadow, std::uint32_t cell, const WarpAccess& access, Kind kind,
                   std::uint32_t lanes);
  void enter_epoch(Shadow& shadow, std::uint32_t cell, bool shared) const;
  void join(Shadow::OfKind& of, std::uint32_t cell, bool fresh, Witness who);
  [[nodiscard]] std::optional<Witness> not_ordered(const Shadow::OfKind& of, std::uint32_t cell,
                                                   Witness next, bool any = false) const;
  [[nodiscard]] std::optional<Witness> not_ordered_lane(const Shadow::OfKind& of,
                                                        std::uint32_t cell, Witness next,
                                                        bool any) const;
  void hold(const WarpAccess& access);
  void validate_or_release(const WarpAccess& access);
  void record_read(std::uint32_t thread, const HeldRead& read, Kind kind);
  void release_held_reads();
  void note_read(const WarpAccess& access);
  [[nodiscard]] std::optional<SiteNumber> read_before(const Shadow& shadow, std::uint32_t cell,
                                                      const Place& writer) const;
  [[nodiscard]] std::optional<SiteNumber> recent_read(const Region& region, std::uint32_t cell,
                                                      std::uint32_t thread,
                                                      std::uint32_t since) const;
  [[nodiscard]] std::optional<RaceSide> other_writer(const Shadow& shadow, std::uint32_t cell,
                                                     const Place& writer) const;
  // Returns the number of the finding.
  std::size_t report_race(const Region& region, std::uint32_t offset, std::uint32_t bytes,
                          AccessKind access, Witness who, Kind other_kind, const Place& other);
  // Reports the access if it reads a cell between `first` and `last` that no thread has written.
  void report_if_unwritten(Shadow& shadow, std::uint32_t first, std::uint32_t last,
                           const Region& region, std::uint32_t offset, std::uint32_t bytes,
                           AccessKind access, SiteNumber site, std::uint32_t thread);

  // The number of findings reported for a word, and the first of their numbers in the log.
  struct Told {
    std::uint32_t count = 0;
    // mutant 4 -> 5: only changes how many reports a word may have before it is skipped: the same
    // is reported
    std::array<std::size_t, 4> findings{};
    bool operator==(const Told&) const = default;
  };
  // Words of a region in a steady state: one more access at this site changes nothing, and only
  // counts each of these findings once more. It ends with the epoch, or if the region's state
  // changes.
  struct Settled {
    // mutant 0 -> 1: it belongs to no region, so none of it is used
    SiteNumber site = 0;
    const Region* region = nullptr;
    std::uint32_t epoch = 0, news = 0;
    // mutant 0 -> 1: it belongs to no region, so none of it is used
    std::uint64_t words = 0;  // of the region's first 64, as bits
    Told told;                // findings per access, the same for all these words
  };
  [[nodiscard]] Settled& settled_at(const WarpAccess& access, const Shadow& shadow);

  LaunchContext& context_;
  const bool races_, uninitialized_;
  std::vector<Shadow> shadows_;  // by region id
  // mutant 16 -> 17: only changes the number of cache hits of sites: each entry is checked, so the
  // same is reported
  std::array<Settled, 16> settled_{};  // by site
  Told told_;                          // findings for the current word
  HeldReads held_;
  // The latest reads of a warp. A cell has only two of its readers, and its writer may be a third
  // one.
  struct RecentReads {
    struct Read {
      const Region* region = nullptr;
      // mutant 0 -> 1: it belongs to no region, so none of it is used
      SiteNumber site = 0;
      std::uint32_t epoch = 0, active = 0, bytes = 0;
      std::array<std::uint32_t, 32> offset{};
    };
    std::array<Read, 8> reads;
    std::uint32_t count = 0;
  };
  std::vector<RecentReads> recent_reads_;  // by warp
  // For kernels that call __syncwarp. A lane's clock counts its __syncwarps. known_[warp] has a
  // vector clock per lane: the accesses of lane b before the time known_[warp][a*32+b] happened
  // before lane a's next access. Empty until the warp's first __syncwarp. Clocks continue from
  // block to block, so times known in one block are never later than accesses of the next one.
  // mutant 32 -> 33: a warp has 32 lanes, so the 33rd is never used
  std::vector<std::array<std::uint32_t, 32>> clock_;
  std::vector<std::vector<std::uint32_t>> known_;
  std::vector<WarpList> lists_;  // lists of this epoch
  std::unordered_map<std::uint64_t, ReportedRace>
      reported_;  // by region, kind of finding and sites
  std::unordered_map<std::uint32_t, SharedWritten> suspended_;  // by block number
  struct Recent {
    std::uint64_t key = 0;
    std::size_t number = 0;
  };
  // mutant 16 -> 17: only changes the number of cache hits of races: each entry is checked, so the
  // same is reported
  std::array<Recent, 16> recent_{};  // some of them again
};

}  // namespace histolab::kernels::emulator
