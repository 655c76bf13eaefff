// Which submissions of a lab are alike: for a person to look at, never a mark.
//
// Identical: the same tokens, whatever comments and blanks say. Nearly: of each source's tokens,
// with names that the author chose and literals made equal, overlapping runs are hashed and some
// kept (winnowing, Schleimer et al. 2003), so that a run of run + window - 1 equal tokens is never
// missed and the cost grows with the class, not with its pairs. What the stub has, and what many of
// the class have, tells nothing and does not count: kernels of twenty lines that do the same look
// the same.
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
// Of a source that are looked at: a megabyte of marks would take its time and memory in each page
// and table.
inline constexpr std::size_t most_tokens = 20'000;
inline constexpr double least_share = 0.8;  // of what is told at all
inline constexpr std::size_t least_evidence =
    6;  // hashes that both keep; below, a source is too short to say anything
// Hashes that are kept of a whole class, 16 bytes each. If its sources have more, each keeps its
// smallest ones (Broder 1997): the same hashes are the smallest ones in every source that has them.
inline constexpr std::size_t most_marks = 4'000'000;
inline constexpr std::size_t least_marks_of_a_source = 400;

// The hashes of one source that are compared.
struct SourceMarks {
  std::uint64_t exact = 0;  // of its tokens
  std::uint64_t renamed =
      0;  // the same, with the author's names numbered in their order: renaming changes nothing
  std::size_t tokens = 0;
  std::set<std::uint64_t> fingerprints;
};
[[nodiscard]] SourceMarks marks_of(const std::string& text);

// The submissions for one lab, added one by one; only their hashes stay in memory.
class LikenessSearch {
 public:
  // `lab` in ClassResults::labs. Its stub is nobody's work. `most_sources` that may be added.
  LikenessSearch(std::size_t lab, const std::string& stub, std::size_t most_sources);
  // `entry` in ClassResults::entries, ascending from call to call.
  void add(std::size_t entry, const std::string& text);
  // Ordered by first, then second. Of m identical ones the first with each other one: m - 1 pairs.
  // Those that are the stub are left out.
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
  std::set<Hash> known_;                  // of the stub
  std::map<Hash, std::size_t> first_of_;  // tokens -> entry
  std::vector<std::size_t> different_;    // entries
  std::vector<Hash> renamed_;             // of those: SourceMarks::renamed
  std::vector<Mark> marks_;
  std::vector<Likeness> found_;
};

}  // namespace histolab::batch
