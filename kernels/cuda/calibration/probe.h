// Probe: the common parts of histolab-calibrate's measurements. A measurement (a "probe") is a
// small kernel that does one thing as fast as the GPU can.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/lowbias32.h"
#include "kernels/gpu/runtime.h"

namespace histolab::calibration {

using kernels::cuda::lowbias32;

using kernels::gpu::check;
using kernels::gpu::DeviceMemory;
using kernels::gpu::Event;
using kernels::gpu::GpuFacts;

struct Figure {
  std::string id, unit, title;
  double value = 0;
};
struct Curve {
  std::string id, unit, x, title;  // x: the meaning of a point's first number
  std::vector<std::pair<double, double>> points;
};

// The state that all probes share and fill. A result is a Figure, or a Curve if it was measured at
// several settings. Times are medians between CUDA events, around launches of a millisecond or
// more. A figure per launch is a difference, or a mean over many launches. Counts are for the whole
// GPU, and rates are in events per nanosecond, unless the unit says "per SM". Those use the clock
// of the SMs under load.
struct Bench {
  GpuFacts gpu;
  double ghz = 0;       // clock of an SM under load; measured first
  double empty_ms = 0;  // time between the events around an empty launch; measured second
  std::vector<Figure> figures;
  std::vector<Curve> curves;

  void figure(std::string id, std::string unit, double value, std::string title) {
    std::fprintf(stderr, "  %-44s %12.4g %s\n", id.c_str(), value, unit.c_str());
    figures.push_back({std::move(id), std::move(unit), std::move(title), value});
  }
  void curve(Curve made) {
    std::fprintf(stderr, "  %-44s", made.id.c_str());
    for (const auto& [x, y] : made.points) std::fprintf(stderr, " %g:%.4g", x, y);
    std::fprintf(stderr, "  %s\n", made.unit.c_str());
    curves.push_back(std::move(made));
  }
  [[nodiscard]] unsigned int sms() const { return static_cast<unsigned int>(gpu.multiprocessors); }
  // Returns the clocks of an SM per event, if all SMs together did `events` events in `ms`, each an
  // equal share.
  [[nodiscard]] double clocks(double ms, double events) const {
    return ms * 1e6 * ghz * sms() / events;
  }
};

// Returns the median time of a launch in milliseconds, after a warm-up launch. `before` runs before
// each launch and is not timed.
inline double median_ms(const std::function<void()>& launch,
                        const std::function<void()>& before = {}, int repeats = 7) {
  Event begin, end;
  std::vector<double> samples;
  for (int i = -1; i < repeats; ++i) {
    if (before) before();
    begin.record();
    launch();
    end.record();
    check(cudaGetLastError(), "launch a kernel");
    end.wait();
    if (i >= 0) samples.push_back(end.ms_since(begin));
  }
  std::nth_element(samples.begin(), samples.begin() + repeats / 2, samples.end());
  return samples[static_cast<std::size_t>(repeats) / 2];
}

// The groups of probes, one file each, in the order in which they run. The first one sets `ghz`
// and `empty_ms`.
void probe_execution(Bench& bench);
void probe_memory(Bench& bench);
void probe_latency(Bench& bench);
void probe_global_atomics(Bench& bench);
void probe_shared_memory(Bench& bench);

}  // namespace histolab::calibration
