// PolledWords: the words of global memory that the lanes of a stuck block poll, and the access of
// another block that would change one of them.
//
// A block may wait for a block that has not run. So words are noted in the last part of a block's
// budget. If the block gets stuck, other blocks run, and their accesses are searched for a write.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/lanes/warp_log.h"

namespace histolab::kernels::emulator {

class PolledWords {
 public:
  struct Word {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t value = 0;  // when the block got stuck
    SiteNumber site = 0;
    std::uint32_t lane = 0;  // the lane that polls it; number in the block
  };
  // The access of another block that changes a polled word.
  struct Writer {
    Word polled;
    std::uint32_t block = 0, lane = 0;
    SiteNumber site = 0;
  };

  // `context` must outlive it.
  explicit PolledWords(const LaunchContext& context) : context_(context) {}

  // The block makes progress, or another one begins. Words that are noted later are those of a new
  // wait.
  void forget() { global_before_.reset(); }
  // Notes the words that lanes of the warp poll, as far as they are in its log. Does nothing during
  // a search.
  void note(std::uint32_t warp, const Warp& lanes, const WarpLog& log);
  // The block is stuck, and has not changed memory since it was last watched.
  void note_unchanged();
  // The block is stuck. If it has changed global memory itself since words were first noted, it
  // does not wait for another block, and all words are dropped.
  void settle();

  // ---- the search for a write, while other blocks run ----
  // Returns false if no word was noted.
  [[nodiscard]] bool begin_search();
  [[nodiscard]] bool is_searching() const { return searches_; }
  // Notes the first access in the warp's log that changes a polled word. `existing`: all lanes of
  // the warp, as bits.
  void search(std::uint32_t warp, std::uint32_t existing, const Warp& lanes, const WarpLog& log);
  [[nodiscard]] bool has_found() const { return writer_.has_value(); }
  // Ends the search. Returns nullopt if no write was found.
  std::optional<Writer> end_search();

 private:
  const LaunchContext& context_;
  std::vector<Word> words_;
  // A checksum of global memory when words were first noted.
  std::optional<std::uint64_t> global_before_;
  bool searches_ = false;
  std::optional<Writer> writer_;
};

}  // namespace histolab::kernels::emulator
