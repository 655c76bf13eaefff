// LaneRaces: the race observer of kernels with fences, of those that allocate, and of the second
// look at writers that may agree on a value.
//
// It sees each lane's access as it is made, and keeps a happens-before relation (knowledge.h). So
// it can check directly whether "a happened before b", for any two threads of the grid. These order
// accesses:
//   - a grid barrier, all threads; a barrier, all threads of a block; __syncwarp, the lanes of its
//     mask; program order;
//   - a fence publishes its thread's knowledge. An atomic operation, or a volatile store that
//     publishes, releases that published knowledge at its word. A thread that later reads the word
//     by an atomic operation or a volatile read acquires it. The fence that CUDA requires on the
//     reader's side may be missing. Barriers and __syncwarp pass on published knowledge, so one
//     thread's fence may be followed by another one's release.
//   - a fence or an atomic operation of block scope, only within its block.
// An atomic operation modifies what others released before it there and keeps that; a store ends
// it. A swap that fails releases nothing. A thread that acquires a release also knows that
// operation, and its thread's atomic operations before it.
//
// A volatile store publishes if a fence came after the thread's last plain access and before
// nothing but such stores. Data behind a volatile pointer is data: a store right after the same
// thread read another one's store does not publish.
//
// Memory: a cell has the accesses that a later one could race with. Some accesses of earlier blocks
// were not followed by a release, so no thread can ever be ordered after them: of these the cell
// keeps one of each kind and site. Of the others it keeps the latest 64 of each kind. Releases are
// kept for as many words as 64 MiB hold. All further words are treated as one: a race may be
// missed, but none is made up, and a note says so.
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
  enum Kind : std::uint8_t { plain_read, volatile_read, write, publish, atomic, block_atomic, addition, overwrite };  // as race_cells.h has them
  static constexpr std::uint32_t kinds = 8;
  static constexpr std::size_t most_of_earlier_blocks = 64;

  struct Entry {
    Moment when;  // of atomic and publishing accesses: by the thread's second clock, see Thread
    std::uint16_t thread;
    std::uint32_t value = 0;  // what a write left in the cell
    SiteNumber site;
    Kind kind;
    bool brought_news = false;   // a volatile read: of another thread's publishing store
    bool several_values = false;  // the thread wrote more than one, or the value is not known
    std::optional<SiteNumber> own_read = std::nullopt;  // a write: where its thread had read the cell before
    // A write that has replaced accesses of other kinds. A thread that races with it may race with
    // those, within the block only if they are not of the block's earlier epochs. In a second look
    // this does not matter: the first one has reported those races.
    enum Others : std::uint8_t { nothing, of_earlier_epochs, of_this_time } stands_for_others = nothing;
  };
  struct Cell {
    std::uint32_t block = 0;  // that touched it last, plus 1
    bool written = false;     // by that block, if it is in shared memory
    std::uint8_t kinds = 0;   // of the entries, as bits; more may be set
    std::vector<Entry> entries;
  };
  struct Shadow {
    std::uint32_t times_handed_out = 0;  // the region's, of which this is known
    std::uint32_t bytes_per_cell = 4;
    Overwrites overwrites = {};
    std::vector<Cell> cells = {};
    std::vector<Entry> freed = {};  // who did it; empty while it is not
  };
  // Atomic and publishing accesses have a clock of their own, as if made by thread number `threads + thread`: a release makes
  // them known, but not the plain accesses since the last fence.
  struct SinceFence {
    bool touched = false, unpublished = false;  // any access, a plain one
  };
  struct Thread : SinceFence {
    Thread() : Thread(Knowledge()) {}
    explicit Thread(const Knowledge& nothing)
        : known(nothing), published_to_block(nothing), published_to_all(nothing) {}
    std::uint32_t clock = 0, operations = 0;
    Knowledge known, published_to_block, published_to_all;
    bool may_publish = false;
    std::uint64_t acquired = 0;  // the last version
  };
  // The part of a block's state that is still of use behind a grid barrier.
  struct Suspended {
    std::vector<SinceFence> threads;
    SharedWritten shared;
  };
  // Published knowledge that barriers pass on: has any thread published something?
  struct Published {
    bool to_block = false, to_all = false, may_publish = false;
  };
  // The releases at one word of memory.
  struct Released {
    Knowledge to_block, to_all;
    std::uint64_t version = 0;  // never the same twice
    bool is_shared = false;     // in shared memory, which is another one in each block
  };

  void see(const LaneAccess& access);
  void see_release(const Region& region, const Entry& entry);
  void see_read(std::uint32_t thread, const HeldRead& read, bool validated);
  void touch(const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access, const Entry& entry);
  [[nodiscard]] static std::optional<SiteNumber> read_before(const Cell& cell, const Entry& store);
  [[nodiscard]] std::optional<RaceSide> other_writer(const std::vector<Entry>& entries, const Entry& writer) const;
  void enter_block(Cell& cell, const Region& region) const;
  void judge(const std::vector<Entry>& entries, const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access, const Entry& entry);
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
  void finish_stores();  // those that were shown have been made by now
  void release(const LaneAccess& access, Kind kind);
  void acquire(const LaneAccess& access, Kind kind);
  void end_releases(const LaneAccess& store);
  [[nodiscard]] Released& released_at(const LaneAccess& access);
  void tell_of_too_many(const LaneAccess& access);
  void release_held_reads(std::uint32_t thread);
  // All of these threads learn what each did, and may release what any published.
  void join(const std::vector<std::uint32_t>& threads);

  LaunchContext& context_;
  const bool races_, uninitialized_, second_look_;
  const std::size_t most_places_;  // in released_
  std::vector<Shadow> shadows_;  // of each region, by id
  std::vector<Thread> threads_;
  Knowledge before_acquire_;  // what the thread knew that makes an addition or overwrite, before it learned from that word
  std::unordered_map<std::uint32_t, Suspended> suspended_;  // blocks at a grid barrier, by number
  Published by_suspended_, before_grid_barrier_;            // since the last grid barrier; until it
  HeldReads held_;
  std::vector<LaneAccess> stores_;  // the last one, or its pieces, while their values are not in memory yet
  bool interrupted_ = false;        // nor will they be when the next access is shown
  // By lane: stores that are not due.
  std::unordered_map<std::uint32_t, std::vector<LaneAccess>> early_;
  bool is_due_ = false;  // the last on_due_store() made such stores due
  std::unordered_map<std::uint64_t, Released> released_;  // by place: see place_of
  Released elsewhere_;                                    // at all further places
  std::uint64_t versions_ = 0;
  Knowledge ever_released_;  // to all, by anyone
  std::unordered_map<std::uint64_t, ReportedRace> reported_;  // by region, kind of finding and sites
  std::map<std::size_t, bool> only_same_value_;  // by race: have both threads written the same value each time it was seen?
};

}  // namespace histolab::kernels::emulator
