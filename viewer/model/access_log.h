// AccessLog: the recorded memory accesses of a launch, by the warp that made them and by source
// line.
//
// The log follows the launch on screen. When the next launch of the same kernel begins, the log
// keeps the old accesses until the first new one arrives, so that repeated launches do not flicker.
// Numbers from a stream are not checked.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/live_run.h"

namespace histolab::viewer {

struct WarpId {
  std::uint32_t block = 0, warp = 0;  // warp: its index in the block
  auto operator<=>(const WarpId&) const = default;
};

// A line of a source.
struct SourcePlace {
  std::string file;  // of a program; empty for a lab's kernel
  int line = 0;      // from 1; 0 for none
  auto operator<=>(const SourcePlace&) const = default;
};

class AccessLog {
 public:
  struct Line {
    SourcePlace place;
    std::uint64_t accesses = 0;
    std::string text;  // the source line without its indentation
  };
  // Facts about a variable, derived from its accesses.
  struct Variable {
    std::uint64_t last_element = 0;  // the highest index; an element is as wide as an access
    bool written = false;
  };

  void follow(const LiveRun& run);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const std::vector<Access>& rows() const { return rows_; }
  [[nodiscard]] const Begin& begin() const { return begin_; }
  // Sorted by file and line. Accesses without a known line are not included.
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] const std::map<WarpId, std::vector<std::size_t>>& warps() const { return warps_; }
  // Changes its value after each change of the log.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  // Returns the accesses of a warp in program order, as indices into rows(). A place with line 0
  // selects all lines of all files.
  [[nodiscard]] std::vector<std::size_t> accesses_of(WarpId warp, const SourcePlace& place) const;
  // Returns `wanted` if that warp has an access in the line; else a warp of the same block that has
  // one; else the first such warp. Returns nullopt if no warp has one.
  [[nodiscard]] std::optional<WarpId> nearest(WarpId wanted, const SourcePlace& place) const;

  // Returns the variable's highest element index, or 0 if it is unknown.
  [[nodiscard]] std::uint64_t last_element(const std::string& variable) const;
  // Whether the variable holds the histogram's bins or a copy of them. True if the kernel writes
  // the variable and never beyond the last bin.
  [[nodiscard]] bool holds_bins(const std::string& variable) const;

 private:
  void add(const Access& access);

  std::uint64_t launch_ = 0, revision_ = 0;
  std::size_t taken_ = 0;  // accesses already copied from the launch
  Begin begin_;
  std::vector<Access> rows_;
  std::vector<Line> lines_;
  std::map<WarpId, std::vector<std::size_t>> warps_;
  std::map<std::string, Variable> variables_;
};

// Says why a launch has no accesses to show, and what to do about it.
[[nodiscard]] std::string why_no_accesses(const LiveRun& run);

}  // namespace histolab::viewer
