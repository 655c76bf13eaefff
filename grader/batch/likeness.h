// Finds similar submissions for a lab, for instructors to review. It never changes a mark.
//
// Identical sources have the same tokens, ignoring comments and blanks. Similar sources are found
// by winnowing (Schleimer et al. 2003): it hashes overlapping runs of tokens, with all names and
// literals treated as equal, and keeps some hashes. It finds every common run of run + window - 1
// tokens. Hashes in the stub, or in many submissions, do not count: short kernels for one task look
// alike.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"

namespace histolab::batch {

inline constexpr std::size_t run_of_tokens = 10, window_of_runs = 6;
// Only this many tokens of a source are compared, to bound time and memory.
inline constexpr std::size_t most_tokens = 20'000;
inline constexpr double least_share = 0.8;  // smallest share that is reported
// Smallest number of common hashes. A source with fewer is too short to compare.
inline constexpr std::size_t least_evidence = 6;
// Most hashes of a whole class, 16 bytes each. If there are more, each source keeps its smallest
// ones (Broder 1997), so that sources with the same hashes keep the same ones.
inline constexpr std::size_t most_marks = 4'000'000;
inline constexpr std::size_t least_marks_of_a_source = 400;

// The hashes of one source that are compared.
struct SourceMarks {
  std::uint64_t exact = 0;    // hash of the tokens
  std::uint64_t renamed = 0;  // the same with the author's names numbered: independent of renaming
  std::size_t tokens = 0;
  std::set<std::uint64_t> fingerprints;
};
[[nodiscard]] SourceMarks marks_of(const std::string& text);

// The submissions for one lab, added one by one; only their hashes stay in memory.
class LikenessSearch {
 public:
  // `lab` is an index in ClassResults::labs. At most `most_sources` may be added.
  LikenessSearch(std::size_t lab, const std::string& stub, std::size_t most_sources);
  // `entry` is an index in ClassResults::entries, larger with each call. Ignores copies of the
  // stub.
  void add(std::size_t entry, const std::string& text);
  // Returns the pairs, ordered by first, then second. For m identical sources: m - 1 pairs of the
  // first one with each other one.
  [[nodiscard]] std::vector<Likeness> found();

 private:
  using Hash = std::uint64_t;
  struct Mark {
    Hash hash = 0;
    std::uint32_t source = 0;  // in `different_`
    auto operator<=>(const Mark&) const = default;
  };
  void find_near();

  std::size_t lab_, most_of_source_;
  Hash stub_ = 0;
  std::set<Hash> known_;                  // fingerprints of the stub
  std::map<Hash, std::size_t> first_of_;  // tokens -> entry
  std::vector<std::size_t> different_;    // entries
  std::vector<Hash> renamed_;             // their SourceMarks::renamed
  std::vector<Mark> marks_;
  std::vector<Likeness> found_;
};

}  // namespace histolab::batch
