// HiddenRounds: finds accesses that a thread reaches through a loop's next iteration, although it
// could have reached them within the same iteration.
//
// The emulator distinguishes iterations by their accesses. Such a thread seems to be one iteration
// behind, so its accesses may be grouped with those of the wrong threads. Barriers synchronize all
// threads again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/fuzzer/program.h"

namespace histolab::fuzzer {

class HiddenRounds {
 public:
  explicit HiddenRounds(const Body& body) { number(body); }

  void begin_block(std::size_t threads) { of_thread_.assign(threads, {}); }
  void barrier() { begin_block(of_thread_.size()); }
  void goes_round(std::size_t thread, const Stmt& loop) {
    of_thread_[thread].rounds.push_back(&loop);
  }
  // Returns whether this access was such a step. `again`: the statement's second access.
  bool accesses(std::size_t thread, const Stmt& statement, bool again);

 private:
  struct Loop {
    std::uint32_t first = 0, last = 0;  // positions inside it, in text order
    [[nodiscard]] bool holds(std::uint32_t place) const { return first <= place && place <= last; }
  };
  struct Steps {
    std::uint32_t place = 0;  // of the last access; 0 without an access since the last barrier
    std::vector<const Stmt*> rounds;  // iterations since then
  };
  void number(const Body& body);
  [[nodiscard]] bool is_hidden(std::uint32_t from, std::uint32_t to, const Stmt* round) const;

  std::uint32_t places_ = 0;
  std::map<const Stmt*, std::uint32_t> place_;
  std::map<const Stmt*, Loop> loops_;
  std::vector<Steps> of_thread_;
};

}  // namespace histolab::fuzzer
