// AccessLog: the recorded memory accesses of a launch, by the warp that made them and by source
// line.
//
// It follows the launch on screen, and keeps what it has while another launch of the same kernel
// has begun and not yet sent an access, so that launch after launch does not flicker. Numbers of a
// stream are taken as they are.
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
  std::uint32_t block = 0, warp = 0;  // the warp within its block
  auto operator<=>(const WarpId&) const = default;
};

class AccessLog {
 public:
  struct Line {
    int number = 0;
    std::uint64_t accesses = 0;
    std::string text;  // of the source, without what it is indented by
  };
  // What is known of a variable from its accesses.
  struct Variable {
    std::uint64_t last_element = 0;  // the highest; elements are as wide as its accesses
    bool written = false;
  };

  void follow(const LiveRun& run);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const std::vector<Access>& rows() const { return rows_; }
  [[nodiscard]] const Begin& begin() const { return begin_; }
  [[nodiscard]] const std::vector<Line>& lines() const {
    return lines_;
  }  // by number; without accesses of unknown lines
  [[nodiscard]] const std::map<WarpId, std::vector<std::size_t>>& warps() const { return warps_; }
  // Another value after each change.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  // The accesses of a warp in the order in which it made them, as indices of rows(); `line` 0: of
  // all lines.
  [[nodiscard]] std::vector<std::size_t> accesses_of(WarpId warp, int line) const;
  // `wanted` if it has such an access, else a warp of the same block that has, else the first of
  // all; nullopt: none has.
  [[nodiscard]] std::optional<WarpId> nearest(WarpId wanted, int line) const;

  // Its highest element; 0 where it is not known.
  [[nodiscard]] std::uint64_t last_element(const std::string& variable) const;
  // Are its elements the histogram's bins, or a copy of them? It is written, and never beyond the
  // last bin.
  [[nodiscard]] bool holds_bins(const std::string& variable) const;

 private:
  void add(const Access& access);

  std::uint64_t launch_ = 0, revision_ = 0;
  std::size_t taken_ = 0;  // of the launch's
  Begin begin_;
  std::vector<Access> rows_;
  std::vector<Line> lines_;
  std::map<WarpId, std::vector<std::size_t>> warps_;
  std::map<std::string, Variable> variables_;
};

// Why a launch has no accesses to show, and what to do about it.
[[nodiscard]] std::string why_no_accesses(const LiveRun& run);

}  // namespace histolab::viewer
