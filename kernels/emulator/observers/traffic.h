// Traffic: the cost of each warp-level access to the memory system.
//
// Global memory: requests, 32-byte sectors, bytes (those of lanes on one address count once).
// Shared memory: wavefronts over 32 four-byte banks (lanes on one word share a wavefront; accesses
// of 8 and 16 bytes go by halves and quarters of the warp), and bank conflicts: the wavefronts
// beyond one for each of those parts. Atomics: updates, the largest number of lanes on one address,
// and updates of each element. Atomics of lanes on one address are serialized. A sector of global
// memory takes one pass for each of them. A bank of shared memory takes one lane a wavefront,
// unless all add the constant 1. All of it as Nsight Compute counts it (docs/counters.md).
//
// While the kernel runs, each site has an account of its own, and nothing else is counted. A site has one source line, one
// kind of access and one width, so at the end accounts add up to lines, and lines to totals.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/observers/copied_reads.h"
#include "kernels/emulator/observers/load_chains.h"

namespace histolab::kernels::emulator {

class TrafficObserver : public Observer {
 public:
  explicit TrafficObserver(LaunchContext& context);
  void on_access(const WarpAccess& access) override { static_cast<void>(account_for(access)); }
  void on_local_access(const WarpAccess& access) override;
  void on_barrier() override;
  void on_block_suspend() override;
  void on_block_resume() override;
  void on_block_end() override;
  void on_launch_end() override;

 protected:
  struct Cost {
    std::uint32_t parts = 1;                // sectors or wavefronts
    std::uint32_t same_address_degree = 0;  // of an atomic operation: the most lanes on one address
  };
  // Returns nullopt if the access is not counted.
  std::optional<Cost> account_for(const WarpAccess& access);

 private:
  // The updates of a variable, by word: an element narrower than a word is counted with the others
  // of its word.
  struct Updates {
    static constexpr std::uint64_t max_words = (1 << 20) / 4;
    const Region* region;
    std::uint32_t element_bytes;               // the variable's own; where it is not known, the narrowest operation's, but 4 at least
    std::uint64_t words;                       // counted one by one, from the variable's first on
    std::unique_ptr<std::uint64_t[]> of_word;  // and, as the next, of all words behind them
  };
  struct AtomicAccount {
    std::array<std::uint64_t, 33> requests_of_degree{};
    const Region* region = nullptr;  // where the site last went
    Updates* updates = nullptr;      // of that
  };
  // A variable in shared memory, for count_used_writes().
  struct SharedVariable {
    std::uint64_t writes = 0;  // lanes
    std::vector<SiteNumber> written_at, read_at;
    bool is_used = false;
  };
  // Costs of one site in one memory space.
  struct Account {
    const Region* region = nullptr;  // in shared memory, that the site accessed last
    SharedVariable* variable = nullptr;  // of that
    std::uint64_t requests = 0, lanes = 0, bytes = 0;
    std::uint64_t repeated = 0;   // of what the warp's load before has read
    std::uint64_t cost = 0;       // sectors, or passes over the banks
    std::uint64_t conflicts = 0;
    std::unique_ptr<AtomicAccount> atomic;  // of an atomic operation's site
  };
  struct Accounts {
    SiteNumber site = 0;
    bool asks = false;    // an atomic operation's, but compare-and-swap and exchange: what to do next, maybe
    bool shares = false;  // an addition of 1 whose result nobody wants: in shared memory lanes on one word are one
    std::uint64_t barriers = 0;
    Account global, shared, local;
  };

  // A block that waits for the grid.
  struct Suspended {
    LoadChains::Block chains;
    std::vector<std::uint64_t> input_bytes;
    CopiedReads::Block copied;
  };

  Accounts& accounts_of(SiteNumber site) {
    const std::uint32_t number = number_[site];
    return number != 0 ? accounts_[number - 1] : open(site);
  }
  Accounts& open(SiteNumber site);
  Cost cost_of(const Accounts& accounts, Account& account, const WarpAccess& access);
  void note_shared(Account& account, const WarpAccess& access);
  void count_used_writes();
  void count_input(const WarpAccess& access, std::uint32_t sectors);
  Cost count_askew(Account& account, const WarpAccess& access);
  Cost count_several(Account& account, const WarpAccess& access);
  Cost count_atomic(const Accounts& accounts, Account& account, const WarpAccess& access);
  Updates* updates_of(const Region& region, std::uint32_t bytes);
  void close(const Accounts& accounts);
  void add_pressure(const Updates& updates);

  LaunchContext& context_;
  const std::uint64_t warps_per_block_;
  PerSite<std::uint16_t> number_;  // of each site's accounts, from 1; 0: it has none yet
  std::vector<Accounts> accounts_;
  std::deque<Updates> updates_;
  std::unordered_map<const Region*, SharedVariable> shared_;
  LoadChains chains_;
  std::vector<std::uint64_t> input_bytes_;  // that each thread of the block has read
  CopiedReads copied_;
  reference::InputReads input_;
  std::unordered_map<std::uint32_t, Suspended> suspended_;  // by the block's number
};

}  // namespace histolab::kernels::emulator
