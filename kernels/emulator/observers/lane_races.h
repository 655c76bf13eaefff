// LaneRaces: the race observer of kernels with fences, of those that allocate, and of the second
// look at writers that may agree on a value.
//
// It sees each lane's access when it is made, and keeps a happens-before relation (knowledge.h).
// See docs/emulator.md, "Room observers".
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/observers/held_reads.h"
#include "kernels/emulator/observers/knowledge.h"
#include "kernels/emulator/observers/overwrites.h"
#include "kernels/emulator/observers/race_findings.h"
#include "kernels/emulator/observers/shared_written.h"

namespace histolab::kernels::emulator {

class LaneRaces final : public Observer {
 public:
  LaneRaces(LaunchContext& context, bool report_races, bool report_uninitialized);
  void on_block_begin() override;
  void on_lane_access(const LaneAccess& access) override;
  void on_fence(std::uint32_t lane, Scope scope) override;
  void on_due_store(std::uint32_t lane) override;
  void on_interrupted_store(std::uint32_t lane) override;
  void on_warp_sync(std::uint32_t warp, std::uint32_t mask) override;
  void on_barrier() override;
  void on_block_suspend() override;
  void on_grid_barrier() override;
  void on_block_resume() override;
  void on_block_end() override;
  void on_launch_end() override;

 private:
  // See race_cells.h. `publish` is a volatile store that publishes.
  enum Kind : std::uint8_t {
    plain_read,
    volatile_read,
    write,
    publish,
    atomic,
    block_atomic,
    addition,
    overwrite
  };
  static constexpr std::uint32_t kinds = 8;
  static constexpr std::size_t most_of_earlier_blocks = 64;

  struct Entry {
    // For atomic and publishing accesses: by the thread's second clock, see SinceFence.
    Moment when;
    std::uint16_t thread;
    std::uint32_t value = 0;  // for writes: the cell's contents after it
    SiteNumber site;
    Kind kind;
    // For volatile reads: it has read another thread's publishing store.
    bool brought_news = false;
    // The thread wrote more than one value, or the value is unknown.
    bool several_values = false;
    // For writes: the site at which the thread has read the cell before.
    std::optional<SiteNumber> own_read = std::nullopt;
    // For writes: it has replaced accesses of other kinds. A thread that races with it may race
    // with those, too. (A thread of the same block may not, if they are of the block's earlier
    // epochs.) In a second look this does not matter, because the first look has reported those
    // races.
    enum Others : std::uint8_t {
      nothing,
      of_earlier_epochs,
      of_this_time
    } stands_for_others = nothing;
  };
  struct Cell {
    std::uint32_t block = 0;  // number of the block that accessed it last, plus 1
    bool written = false;     // by that block, if it is in shared memory
    // mutant 0 -> 1: may set more bits: then the entries are checked, and there are none
    std::uint8_t kinds = 0;  // of the entries, as bits; more may be set
    std::vector<Entry> entries;
  };
  struct Shadow {
    std::uint32_t times_handed_out = 0;  // the region's count that this state belongs to.
    std::uint32_t bytes_per_cell = 4;
    Overwrites overwrites = {};
    std::vector<Cell> cells = {};
    std::vector<Entry> freed = {};  // the access that freed the memory, if it is freed
  };
  // Atomic and publishing accesses have a second clock, as if made by thread number `threads +
  // thread`. A release makes them known, but not the plain accesses since the last fence.
  struct SinceFence {
    bool touched = false, unpublished = false;  // any access; a plain access
  };
  struct Thread : SinceFence {
    Thread() : Thread(Knowledge()) {}
    explicit Thread(const Knowledge& nothing)
        : known(nothing), published_to_block(nothing), published_to_all(nothing) {}
    std::uint32_t clock = 0, operations = 0;
    Knowledge known, published_to_block, published_to_all;
    bool may_publish = false;
    std::uint64_t acquired = 0;  // version that it acquired last
  };
  // The part of a block's state that is still needed after a grid barrier.
  struct Suspended {
    std::vector<SinceFence> threads;
    SharedWritten shared;
  };
  // Published knowledge that barriers pass on: true if any thread has published.
  struct Published {
    bool to_block = false, to_all = false, may_publish = false;
  };
  // The releases at one word of memory.
  struct Released {
    Knowledge to_block, to_all;
    std::uint64_t version = 0;  // unique number
    bool is_shared = false;     // the word is in shared memory, which each block has for itself.
  };

  void see(const LaneAccess& access);
  void record_release(const Region& region, const Entry& entry);
  void record_read(std::uint32_t thread, const HeldRead& read, bool validated);
  void touch(const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access,
             const Entry& entry);
  [[nodiscard]] static std::optional<SiteNumber> read_before(const Cell& cell, const Entry& store);
  [[nodiscard]] std::optional<RaceSide> other_writer(const std::vector<Entry>& entries,
                                                     const Entry& writer) const;
  void enter_block(Cell& cell, const Region& region) const;
  void judge(const std::vector<Entry>& entries, const Region& region, std::uint32_t offset,
             std::uint32_t bytes, AccessKind access, const Entry& entry);
  [[nodiscard]] bool adds_nothing(const std::vector<Entry>& entries, const Entry& entry) const;
  void record(Cell& cell, Entry entry) const;
  void forget_earlier_blocks(std::vector<Entry>& entries) const;
  Shadow& shadow_of(const Region& region);
  Shadow& shadow_of(const Region& region, std::uint32_t bytes, std::uint32_t offset);
  static bool is_store(const Entry& entry) { return entry.kind == write || entry.kind == publish; }
  [[nodiscard]] Kind kind_of(const LaneAccess& access);
  [[nodiscard]] bool sees_news(const LaneAccess& read);
  [[nodiscard]] Entry made_now(std::uint32_t thread, Kind kind, SiteNumber site);
  void learn_own(Knowledge& knowledge, std::uint32_t thread) const;
  [[nodiscard]] bool conflict(const Entry& one, const Entry& other) const;
  [[nodiscard]] bool ordered(const Entry& earlier, const Entry& later) const;
  // Records the stores that were shown before. They have been made by now.
  void finish_stores();
  void release(const LaneAccess& access, Kind kind);
  void acquire(const LaneAccess& access, Kind kind);
  void end_releases(const LaneAccess& store);
  [[nodiscard]] Released& released_at(const LaneAccess& access);
  void report_too_many(const LaneAccess& access);
  void release_held_reads(std::uint32_t thread);
  // These threads synchronize. Each knows what the others did, and may release what they published.
  void join(const std::vector<std::uint32_t>& threads);

  LaunchContext& context_;
  const bool races_, uninitialized_, second_look_;
  const std::size_t most_places_;  // limit for released_.
  std::vector<Shadow> shadows_;    // by region id.
  std::vector<Thread> threads_;
  // For a thread that makes an addition or overwrite: its knowledge before it acquires at that
  // word.
  Knowledge before_acquire_;
  std::unordered_map<std::uint32_t, Suspended> suspended_;  // blocks at a grid barrier, by number.
  // Knowledge published since the last grid barrier, and before it.
  Published by_suspended_, before_grid_barrier_;
  HeldReads held_;
  // The last store, or its pieces, while the value may not be in memory yet.
  std::vector<LaneAccess> stores_;
  bool interrupted_ = false;  // the value is still not in memory when the next access is shown.
  // By lane: stores that are not due.
  std::unordered_map<std::uint32_t, std::vector<LaneAccess>> early_;
  bool is_due_ = false;  // the last on_due_store() made such stores due.
  std::unordered_map<std::uint64_t, Released> released_;  // by address, see place_of().
  Released elsewhere_;                                    // for all further addresses.
  std::uint64_t versions_ = 0;
  Knowledge ever_released_;  // everything that any thread has released to all threads.
  std::unordered_map<std::uint64_t, ReportedRace> reported_;  // by region, kind and sites.
  // By number of the race: both threads have written the same value each time.
  std::map<std::size_t, bool> only_same_value_;
};

}  // namespace histolab::kernels::emulator
