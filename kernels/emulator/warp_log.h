// WarpLog: the records of one warp's 32 lanes, and how they become warp-level accesses.
//
// While the lanes agree (converged), row k of the log is the k-th access of the warp, and is passed on as it is. When they
// part, each lane has a position of its own, and lanes at the same site in the same round of every loop around it act
// together. The order is the hardware's: within a loop those in the earliest round go first, and of them those at the site
// that comes first (control_flow.h); who has left a loop waits until the others have, too. So there is a frame for each
// loop that lanes are in together, the innermost one last, and only its members are looked at until all of them have left.
//
// What a running lane has not logged yet may come before what others have, so their rest is carried over until it has.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "kernels/emulator/control_flow.h"
#include "kernels/emulator/observer.h"

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

  struct Free {
    void operator()(std::uint64_t* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<std::uint64_t[], Free>;

  // Memory for the rows: out of `idle`, or new; and back again, when there are no rows in it.
  void take(std::vector<Memory>& idle);
  void give(std::vector<Memory>& idle);
  [[nodiscard]] bool has_memory() const { return log_ != nullptr; }

  // Forgets everything: the warp of a new block.
  void begin(std::uint32_t warp);
  [[nodiscard]] std::uint64_t* start(std::uint32_t lane) const { return log_.get() + lane; }

  // The warp's lanes have all come to one place, `lane` among them, and everything was judged: from here on they are level.
  void converge(std::uint32_t lane);

  // Where the lane was last, as far as judged.
  [[nodiscard]] SiteNumber last_site(std::uint32_t lane) const { return converged_ ? last_ : last_of_[lane]; }

  // How many rows of each lane were passed on.
  struct Judged {
    bool level = true;       // as many of each lane
    std::uint32_t most = 0;  // of any lane
    std::array<std::uint32_t, lanes> rows;  // of each, unless level
  };

  // Passes on what can be decided. `cursors`: one past each lane's last record. `running`: lanes that may yet log more;
  // the others wait or have returned. Afterwards each cursor stands behind what had to be carried over.
  Judged judge(LaunchContext& context, std::array<std::uint64_t*, lanes>& cursors, std::uint32_t running);

 private:
  // The lanes that are in one loop, or in the kernel as a whole, and have not left it; some may have no record just now.
  struct Frame {
    std::uint32_t members = 0;
    std::array<std::uint32_t, lanes> round{};  // of each: how often it went round
    std::uint32_t base = 0;                    // rounds from here on fit into keys
  };
  // Where a lane's next access goes in the innermost frame: round, then rank. What is not to be passed on there comes last.
  static constexpr std::uint32_t not_here = ~0u;
  static constexpr std::uint32_t rank_bits = 17, max_rounds = (1u << (32 - rank_bits)) - 2;

  static bool level(const std::array<std::uint64_t*, lanes>& cursors);
  void set_cursors(std::array<std::uint64_t*, lanes>& cursors) const;
  [[nodiscard]] std::uint64_t at(std::uint32_t row, std::uint32_t lane) const { return log_[row * lanes + lane]; }
  static SiteNumber site(std::uint64_t record) { return static_cast<SiteNumber>(record >> 48); }
  std::uint32_t judge_converged(LaunchContext& context, std::uint32_t rows_of_all);
  void judge_diverged(LaunchContext& context, std::uint32_t running);
  void part(const ControlFlow& flow, std::uint32_t row);
  void fetch_new(const ControlFlow& flow);
  void fetch(const ControlFlow& flow, std::uint32_t lane, std::uint32_t frame);
  void enter_loop(const ControlFlow& flow, std::uint32_t members);
  void leave_loop(const ControlFlow& flow);
  void go_on(const ControlFlow& flow, std::uint32_t together, std::uint16_t number, SiteNumber passed);
  [[nodiscard]] std::uint32_t key(const ControlFlow& flow, std::uint32_t lane) const;

  Memory log_;
  std::uint32_t warp_ = 0;
  bool converged_ = true;
  SiteNumber last_ = 0;  // of all lanes, while converged

  // Once they have parted. Of each lane:
  std::array<std::uint32_t, lanes> position_{}, end_{};  // rows
  std::uint32_t fetched_ = 0;                            // its record at `position` has been looked at: as bits
  alignas(64) std::array<std::uint64_t, lanes> record_{};  // that record
  std::array<std::uint16_t, lanes> number_{};            // of its site, else of the last one's
  std::array<SiteNumber, lanes> last_of_{};              // passed on
  std::array<std::uint32_t, lanes> frame_{};             // the innermost frame that it has not left
  alignas(64) std::array<std::uint32_t, lanes> key_{};   // in the innermost frame of all
  std::array<Frame, ControlFlow::max_level + 1> frames_{};
  std::uint32_t innermost_ = 0;
};

// Turns one row of records (all of one site) into WarpAccess and StrayAccess calls of the observers. Records of lanes
// that are not active are ignored.
void pass_on(LaunchContext& context, std::uint32_t warp, std::uint32_t active, const std::uint64_t* records);

// The same for all 32 lanes. False, and nothing was done: their records are of several sites.
bool pass_on_together(LaunchContext& context, std::uint32_t warp, const std::uint64_t* records);

}  // namespace histolab::kernels::emulator
