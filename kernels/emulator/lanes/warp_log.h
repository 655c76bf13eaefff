// WarpLog: the records of one warp's 32 lanes, and how they become warp-level accesses.
//
// While the lanes agree (converged), row k of the log is the k-th access of the warp, and is passed
// on as it is. When they part, each lane has a position of its own, and lane_order.h decides which
// lanes go first, and together. Accesses that a running lane has not logged yet may come before
// logged ones of others, so the rest of those is carried over until it has.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "kernels/emulator/lanes/lane_order.h"
#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

class WarpLog {
 public:
  static constexpr std::uint32_t lanes = 32;
  static constexpr std::uint32_t rows = 64;
  static constexpr std::uint64_t bytes = rows * lanes * sizeof(std::uint64_t);  // 16 KiB, aligned to as much

  // Has a cursor that was just advanced left the last row?
  static bool full(const std::uint64_t* cursor) {
    return (reinterpret_cast<std::uint64_t>(cursor) & (bytes - lanes * sizeof(std::uint64_t))) == 0;
  }

  // Is this a later place for the same lane's records, in the same log?
  static bool comes_after(const std::uint64_t* cursor, const std::uint64_t* later) {
    const std::uint64_t distance = reinterpret_cast<std::uint64_t>(later) - reinterpret_cast<std::uint64_t>(cursor);
    return distance % (lanes * sizeof(std::uint64_t)) == 0 && distance <= bytes - reinterpret_cast<std::uint64_t>(cursor) % bytes;
  }

  struct Free {
    void operator()(std::uint64_t* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<std::uint64_t[], Free>;

  // Memory for the rows: out of `idle`, or new; and back again, when there are no rows in it.
  void take(std::vector<Memory>& idle);
  void give(std::vector<Memory>& idle);
  [[nodiscard]] bool has_memory() const { return log_ != nullptr; }

  // Forgets everything: the warp of a new block, or of one that continues behind a grid barrier, after the site `last`.
  void begin(std::uint32_t warp, SiteNumber last = 0);
  [[nodiscard]] std::uint64_t* start(std::uint32_t lane) const { return log_.get() + lane; }

  // To where the log begins.
  void set_cursors(std::array<std::uint64_t*, lanes>& cursors) const {
    for (std::uint32_t l = 0; l < lanes; ++l) cursors[l] = start(l);
  }

  // The warp's lanes have all come to one place, `lane` among them, and everything was judged: from here on they are level.
  void converge(std::uint32_t lane);

  // Everything was judged, and these lanes continue from `site`. Nothing is logged there.
  void pass(const ControlFlow& flow, std::uint32_t together, SiteNumber site);
  // Returns those that go first among lanes at these sites. Everything before must be judged.
  [[nodiscard]] std::uint32_t first_of(const ControlFlow& flow, std::uint32_t standing, const std::array<SiteNumber, lanes>& at) const;

  // The lane's last site, as far as judged.
  [[nodiscard]] SiteNumber last_site(std::uint32_t lane) const { return converged_ ? last_ : last_of_[lane]; }

  // How many rows of each lane were passed on.
  struct Judged {
    bool level = true;       // as many of each lane
    std::uint32_t most = 0;  // of any lane
    std::array<std::uint32_t, lanes> rows;  // of each, unless level
  };

  // Passes on the records that can be decided. `cursors`: one past each lane's last record.
  // `running`: lanes that may yet log more; the others wait or have returned. Afterwards each
  // cursor is behind the records that had to be carried over.
  Judged judge(LaunchContext& context, std::array<std::uint64_t*, lanes>& cursors, std::uint32_t running);

 private:
  static bool level(const std::array<std::uint64_t*, lanes>& cursors);
  [[nodiscard]] std::uint64_t at(std::uint32_t row, std::uint32_t lane) const { return log_[row * lanes + lane]; }
  static SiteNumber site(std::uint64_t record) { return static_cast<SiteNumber>(record >> 48); }
  std::uint32_t judge_converged(LaunchContext& context, std::uint32_t rows_of_all);
  void judge_diverged(LaunchContext& context, std::uint32_t running);
  void part(const ControlFlow& flow);
  [[nodiscard]] std::uint32_t piece_in_row(const SiteTable& sites, std::uint32_t row,
                                           SiteNumber site_before) const;
  [[nodiscard]] bool goes_on_with_pieces(const SiteTable& sites, std::uint32_t lane,
                                         SiteNumber from, std::uint32_t row) const;
  void fetch_new(const LaunchContext& context);
  void go_on(const LaunchContext& context, std::uint32_t together);

  Memory log_;
  std::uint32_t warp_ = 0;
  bool converged_ = true;
  SiteNumber last_ = 0;  // of all lanes, while converged
  std::uint32_t last_piece_ = 0;  // number of the last record within its access, while converged

  // Once they have parted: who goes first; and of each lane the rows up to which it has, the record that it is at, if any,
  // that record's number within its access, and where it was before that.
  LaneOrder order_;
  std::array<std::uint32_t, lanes> position_{}, end_{};
  alignas(64) std::array<std::uint64_t, lanes> record_{};
  std::array<std::uint32_t, lanes> piece_{};
  std::array<SiteNumber, lanes> last_of_{};
};

// Turns one row of records (all of one site) into WarpAccess and StrayAccess calls of the observers. Records of lanes
// that are not active are ignored.
void pass_on(LaunchContext& context, std::uint32_t warp, std::uint32_t active, const std::uint64_t* records);

// The same for all 32 lanes. Returns false, without any effect, if their records are of several
// sites.
bool pass_on_together(LaunchContext& context, std::uint32_t warp, const std::uint64_t* records);

}  // namespace histolab::kernels::emulator
