// TrafficObserver: counts the cost of each warp-level access to the memory system, as Nsight
// Compute counts it. See docs/counters.md for the rules and docs/emulator.md, "Room observers", for
// the accounts.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/observers/copied_reads.h"
#include "kernels/emulator/observers/load_chains.h"

namespace histolab::kernels::emulator {

// Counted are:
// - Global memory: requests, 32-byte sectors, and bytes. Lanes on one address count once.
// - Shared memory: wavefronts over 32 four-byte banks. Lanes on one word share a wavefront.
//   Accesses of 8 and 16 bytes go by halves and quarters of the warp. Bank conflicts are the
//   wavefronts beyond one per part.
// - Atomic operations: updates, the largest number of lanes on one address, and updates per
//   element. Lanes on one address are serialized: a sector of global memory takes one pass for each
//   of them. A bank of shared memory takes one lane per wavefront, unless all add the constant 1.
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
    std::uint32_t parts = 1;  // sectors or wavefronts
    // For atomic operations: the largest number of lanes on one address.
    std::uint32_t same_address_degree = 0;
  };
  // Returns nullopt if the access is not counted.
  std::optional<Cost> account_for(const WarpAccess& access);

 private:
  // The updates of a variable, by word. Elements narrower than a word are counted by their word.
  struct Updates {
    static constexpr std::uint64_t max_words = (1 << 20) / 4;
    const Region* region;
    // The size of an element. If it is unknown: the width of the narrowest operation, at least 4.
    std::uint32_t element_bytes;
    // The number of words, from the variable's first one, that are counted separately.
    std::uint64_t words;
    // Updates per word. The entry after the last word has those of all further words.
    std::unique_ptr<std::uint64_t[]> of_word;
  };
  struct AtomicAccount {
    // mutant 33 -> 34: a warp has 32 lanes, so a degree of 33 is impossible
    std::array<std::uint64_t, 33> requests_of_degree{};
    const Region* region = nullptr;  // region that the site accessed last
    Updates* updates = nullptr;      // updates of that region
  };
  // A variable in shared memory, for count_used_writes().
  struct SharedVariable {
    std::uint64_t writes = 0;  // one per lane
    std::vector<SiteNumber> written_at, read_at;
    bool is_used = false;
  };
  // Costs of one site in one memory space.
  struct Account {
    const Region* region = nullptr;      // region in shared memory that the site accessed last.
    SharedVariable* variable = nullptr;  // variable of that region.
    std::uint64_t requests = 0, lanes = 0, bytes = 0;
    std::uint64_t repeated = 0;  // loads of bytes that the warp's previous load has read.
    std::uint64_t cost = 0;      // sectors, or passes over the banks.
    std::uint64_t conflicts = 0;
    std::unique_ptr<AtomicAccount> atomic;  // only for sites of atomic operations.
  };
  struct Accounts {
    // mutant 0 -> 1: open() sets the value before its first use
    SiteNumber site = 0;
    // An atomic operation, not a compare-and-swap or exchange, whose result is used. The result may
    // decide what the block does next.
    bool asks = false;
    // An addition of 1 whose result is unused: in shared memory, lanes on one word count as one.
    // mutant false -> true: every constructor call sets the value
    bool shares = false;
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
  PerSite<std::uint16_t> number_;  // number of the site's accounts, from 1. 0 if none are open.
  std::vector<Accounts> accounts_;
  std::deque<Updates> updates_;
  std::unordered_map<const Region*, SharedVariable> shared_;
  LoadChains chains_;
  std::vector<std::uint64_t> input_bytes_;  // bytes of the input read, per thread of the block
  CopiedReads copied_;
  reference::InputReads input_;
  std::unordered_map<std::uint32_t, Suspended> suspended_;  // by block number
};

}  // namespace histolab::kernels::emulator
