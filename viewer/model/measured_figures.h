// MeasuredFigures: figures of a device profile that are shown next to the calculators. The profile
// is profiles/<name>.json, written by histolab-calibrate. The time model does not use all of them.
// Zero means not measured.
#pragma once

#include <string>

#include "reference/result.h"
#include "reference/timing_profile.h"

namespace histolab::viewer {

struct MeasuredFigures {
  std::string device;
  double sm_ghz = 0, global_atomic_clocks = 0, shared_atomic_clocks = 0, l1_clocks = 0,
         l2_clocks = 0, dram_clocks = 0;
  double read_gb_per_s = 0;
  double request_on_one_word_ns = 0,
         request_on_32_words_ns = 0;        // of a warp, within one cache line
  reference::MeasuredCurve updates_per_ns;  // rate of updates by number of random words

  [[nodiscard]] bool known() const { return sm_ghz > 0; }
  [[nodiscard]] double nanoseconds(double clocks) const;
};
// Returns an Error if the file cannot be read. A missing figure is zero.
[[nodiscard]] Result<MeasuredFigures> read_figures(const std::string& path);

}  // namespace histolab::viewer
