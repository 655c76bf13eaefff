// CopiedReads: counts, per thread, the bytes it reads of values that other threads computed from
// the input.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

// A kernel may copy its input to other memory, by all threads, and let one thread count the copy.
// So a word is marked with the thread that stored a value in it, if the value was computed from a
// load of the input or of a marked word (value_flow.h). An atomic addition by a second thread ends
// the mark: a sum is not a copy. An overwrite does not, because the order of an epoch's stores is
// not known.
class CopiedReads {
 public:
  // Bytes per thread of a block, by the block of the thread that stored the value.
  struct Bytes {
    std::vector<std::uint64_t> of_own_block, of_other_blocks;
  };
  struct Block;
  // The word that a thread read last. If it reads the word again, it polls, or tries an update
  // again.
  struct LastWord {
    const Region* region = nullptr;
    std::uint32_t word = 0;
    bool operator==(const LastWord&) const = default;
  };

  explicit CopiedReads(LaunchContext& context);
  // Call it for a load, or an atomic operation whose result is used.
  void load(const WarpAccess& access) {
    if (access.region->is_input())
      add_source(access.site);
    else if (!marks_.empty())
      count(access);
  }
  // Call it for a store or an atomic operation. `adds`: the operation is an addition.
  void store(const WarpAccess& access, bool adds) {
    if (!sources_.empty()) mark(access, adds);
  }
  [[nodiscard]] const Bytes& read() const { return read_; }
  // Returns true if a thread of the block has read any. Else all numbers of read() are 0.
  [[nodiscard]] bool has_read() const { return has_read_; }
  [[nodiscard]] Block suspend_block();
  void resume_block(Block block);
  void end_block();

 private:
  // By word: the number of the thread in the launch, from 1. 0 means no mark. `sum` means that the
  // value comes from several threads.
  static constexpr std::uint32_t sum = ~0u;
  using Marks = std::vector<std::uint32_t>;
  using OfRegions = std::unordered_map<const Region*, Marks>;
  static constexpr std::uint64_t max_bytes = 1 << 26;  // per region. Words beyond have no marks.

  void add_source(SiteNumber site) {
    if (is_source_[site]) return;
    is_source_[site] = true;
    sources_.push_back(site);
  }
  void count(const WarpAccess& access);
  void mark(const WarpAccess& access, bool adds);
  [[nodiscard]] bool stores_input(SiteNumber site);
  void forget_read();
  [[nodiscard]] std::uint32_t first_thread(const WarpAccess& access) const;

  LaunchContext& context_;
  PerSite<bool> is_source_;
  std::vector<SiteNumber> sources_;  // sites of loads that have read the input or a marked word
  struct Store {
    std::uint32_t looked_at;  // number of sources that were checked
    bool is_input;            // the site stores a value from one of them
  };
  PerSite<Store> stores_;
  OfRegions marks_;
  Bytes read_;
  bool has_read_ = false;
  std::vector<LastWord> last_;  // by thread of the block
};

struct CopiedReads::Block {
  OfRegions shared;
  Bytes read;
};

}  // namespace histolab::kernels::emulator
