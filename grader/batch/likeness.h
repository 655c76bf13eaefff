// Which submissions of a lab are alike: for a person to look at, never a mark.
//
// Identical: the same tokens, whatever comments and blanks say. Nearly: of each source's tokens, with names that the author chose and
// literals made equal, overlapping runs are hashed and some kept (winnowing, Schleimer et al. 2003), so that a run of
// run + window - 1 equal tokens is never missed and the cost grows with the class, not with its pairs. What the stub has, and what many
// of the class have, tells nothing and does not count: kernels of twenty lines that do the same look the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"

namespace histolab::batch {

struct Source {
  std::size_t entry = 0;  // in ClassResults::entries, ascending
  std::string text;
};

inline constexpr std::size_t run_of_tokens = 10, window_of_runs = 6;
inline constexpr std::size_t most_tokens = 20'000;  // of a source that are looked at: a megabyte of marks would take its time and memory in each page and table
inline constexpr double least_share = 0.8;        // of what is told at all
inline constexpr std::size_t least_evidence = 6;  // hashes that both keep; below, a source is too short to say anything

// Ordered by first, then second. Of m identical ones the first with each other one: m - 1 pairs. Those that are the stub are left out.
[[nodiscard]] std::vector<Likeness> alike_of(std::size_t lab, const std::vector<Source>& sources, const std::string& stub);

}  // namespace histolab::batch
