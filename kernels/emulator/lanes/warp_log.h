// WarpLog: the records of one warp's 32 lanes, and their conversion to warp-level accesses.
//
// While the lanes agree (converged), row k of the log is the k-th access of the warp. When they
// part, lane_order.h decides which lanes go first, and together.
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
  static constexpr std::uint64_t bytes =
      rows * lanes * sizeof(std::uint64_t);  // 16 KiB, aligned to as much

  // Returns true if a cursor that was just advanced has left the last row.
  static bool full(const std::uint64_t* cursor) {
    return (reinterpret_cast<std::uint64_t>(cursor) & (bytes - lanes * sizeof(std::uint64_t))) == 0;
  }

  // Returns true if `later` is a position for the same lane in the same log, at or after `cursor`.
  static bool comes_after(const std::uint64_t* cursor, const std::uint64_t* later) {
    const std::uint64_t distance =
        reinterpret_cast<std::uint64_t>(later) - reinterpret_cast<std::uint64_t>(cursor);
    return distance % (lanes * sizeof(std::uint64_t)) == 0 &&
           distance <= bytes - reinterpret_cast<std::uint64_t>(cursor) % bytes;
  }

  // The parts of a record.
  static SiteNumber site(std::uint64_t record) { return static_cast<SiteNumber>(record >> 48); }
  static std::uint64_t address(std::uint64_t record) { return record & ((1ull << 48) - 1); }

  // The records of one lane that are not judged yet, in the order of its accesses.
  class Records {
   public:
    struct Iterator {
      const std::uint64_t* record;
      const std::uint64_t& operator*() const { return *record; }
      Iterator& operator++() {
        record += lanes;
        return *this;
      }
      bool operator==(const Iterator&) const = default;
    };
    Records(const std::uint64_t* begin, const std::uint64_t* end) : begin_(begin), end_(end) {}
    [[nodiscard]] Iterator begin() const { return {begin_}; }
    [[nodiscard]] Iterator end() const { return {end_}; }

   private:
    const std::uint64_t *begin_, *end_;
  };
  // `cursor`: one past the lane's last record.
  [[nodiscard]] Records records(std::uint32_t lane, const std::uint64_t* cursor) const {
    return {start(lane), cursor};
  }

  struct Free {
    void operator()(std::uint64_t* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<std::uint64_t[], Free>;

  // Takes memory for the rows from `idle`, or allocates it. Throws std::bad_alloc if memory is
  // exhausted.
  void take(std::vector<Memory>& idle);
  // Moves the memory to `idle`. The log must have no rows.
  void give(std::vector<Memory>& idle);
  [[nodiscard]] bool has_memory() const { return log_ != nullptr; }

  // Forgets everything. Call it for the warp of a new block, or of a block that continues after a
  // grid barrier, behind the site `last`.
  void begin(std::uint32_t warp, SiteNumber last = 0);
  // Returns the position of the lane's first record.
  [[nodiscard]] std::uint64_t* start(std::uint32_t lane) const { return log_.get() + lane; }

  // Sets each cursor to the begin of its lane's log.
  void set_cursors(std::array<std::uint64_t*, lanes>& cursors) const {
    for (std::uint32_t l = 0; l < lanes; ++l) cursors[l] = start(l);
  }

  // All lanes of the warp have reached one site, `lane` among them. From here on they are level.
  // Everything must be judged.
  void converge(std::uint32_t lane);

  // These lanes continue from `site`. Nothing is logged there. Everything must be judged.
  void pass(const ControlFlow& flow, std::uint32_t together, SiteNumber site);
  // Returns the lanes that go first among the lanes `standing` at these sites. Everything must be
  // judged.
  [[nodiscard]] std::uint32_t first_of(const ControlFlow& flow, std::uint32_t standing,
                                       const std::array<SiteNumber, lanes>& at) const;

  // Returns the site of the lane's last judged record.
  [[nodiscard]] SiteNumber last_site(std::uint32_t lane) const {
    return converged_ ? last_ : last_of_[lane];
  }

  // The number of rows per lane that were passed on.
  struct Judged {
    bool level = true;                      // all lanes have `most` rows.
    std::uint32_t most = 0;                 // maximum over the lanes
    std::array<std::uint32_t, lanes> rows;  // per lane, unset if level
  };

  // Passes on the records whose order is certain. `cursors`: one past each lane's last record.
  // `running`: lanes that may log more; the others wait or have returned. An access that a running
  // lane has not logged yet may come before logged ones of other lanes. Those are carried over:
  // they are moved to the front of the log, and each cursor is set behind its lane's records.
  Judged judge(LaunchContext& context, std::array<std::uint64_t*, lanes>& cursors,
               std::uint32_t running);

 private:
  static bool level(const std::array<std::uint64_t*, lanes>& cursors);
  [[nodiscard]] std::uint64_t at(std::uint32_t row, std::uint32_t lane) const {
    return log_[row * lanes + lane];
  }
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
  // While converged: the last site, and the number of the last record within its access.
  SiteNumber last_ = 0;
  std::uint32_t last_piece_ = 0;

  // After the lanes have parted: their order. Then, per lane: its position and the end of its rows,
  // its current record (0 if none), the number of that record within its access, and its site
  // before that.
  LaneOrder order_;
  std::array<std::uint32_t, lanes> position_{}, end_{};
  alignas(64) std::array<std::uint64_t, lanes> record_{};
  std::array<std::uint32_t, lanes> piece_{};
  std::array<SiteNumber, lanes> last_of_{};
};

// Turns one row of records, all of one site, into WarpAccess and StrayAccess calls of the
// observers. Records of inactive lanes are ignored.
void pass_on(LaunchContext& context, std::uint32_t warp, std::uint32_t active,
             const std::uint64_t* records);

// The same for all 32 lanes. Returns false, without any effect, if the records have different
// sites.
bool pass_on_together(LaunchContext& context, std::uint32_t warp, const std::uint64_t* records);

}  // namespace histolab::kernels::emulator
