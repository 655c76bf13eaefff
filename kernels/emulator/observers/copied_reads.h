// CopiedReads: bytes that each thread reads of values computed from the input by other threads.
//
// A kernel may copy its input to other memory, by all threads, and let one thread count the copy.
// So a word is marked with the thread that stored in it what it computed from a load of the input or
// of a marked word (value_flow.h). An atomic addition by a second thread ends the mark: a sum is
// not a copy. An overwrite does not: the order of the stores of an epoch is not known.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

class CopiedReads {
 public:
  // Bytes that each thread of a block has read.
  struct Bytes {
    std::vector<std::uint64_t> of_own_block, of_other_blocks;  // by the block of the thread that stored
  };
  struct Block;
  // The word that a thread read last. A thread that reads it again polls it, or tries an update again.
  struct LastWord {
    const Region* region = nullptr;
    std::uint32_t word = 0;
    bool operator==(const LastWord&) const = default;
  };

  explicit CopiedReads(LaunchContext& context);
  // A load, or an atomic operation whose result is used.
  void load(const WarpAccess& access) {
    if (access.region->role == Region::Role::input) add_source(access.site);
    else if (!marks_.empty()) count(access);
  }
  // A store, or an atomic operation that `adds` or not.
  void store(const WarpAccess& access, bool adds) {
    if (!sources_.empty()) mark(access, adds);
  }
  [[nodiscard]] const Bytes& read() const { return read_; }
  [[nodiscard]] Block suspend_block();
  void resume_block(Block block);
  void end_block();

 private:
  // The number of the thread in the launch, from 1, by word; 0 if there is no mark, and `sum` if the
  // value comes from several threads.
  static constexpr std::uint32_t sum = ~0u;
  using Marks = std::vector<std::uint32_t>;
  using OfRegions = std::unordered_map<const Region*, Marks>;
  static constexpr std::uint64_t max_bytes = 1 << 26;  // of a region; words beyond have no marks

  void add_source(SiteNumber site) {
    if (is_source_[site]) return;
    is_source_[site] = true, sources_.push_back(site);
  }
  void count(const WarpAccess& access);
  void mark(const WarpAccess& access, bool adds);
  [[nodiscard]] bool stores_input(SiteNumber site);
  [[nodiscard]] std::uint32_t first_thread(const WarpAccess& access) const;

  LaunchContext& context_;
  PerSite<bool> is_source_;
  std::vector<SiteNumber> sources_;  // of loads that read the input or a marked word
  struct Store {
    std::uint32_t looked_at;  // number of sources
    bool is_input;            // it stores what one of them read
  };
  PerSite<Store> stores_;
  OfRegions marks_;
  Bytes read_;
  std::vector<LastWord> last_;  // by thread of the block
};

struct CopiedReads::Block {
  OfRegions shared;
  Bytes read;
};

}  // namespace histolab::kernels::emulator
