// Benchmark: how much processor time a frame costs while a stream runs, for `view --benchmark`.
//
// Measured on the frame's own thread (CLOCK_THREAD_CPUTIME_ID) from asking for input up to ImGui's
// draw data: what the viewer itself does. Handing the data to OpenGL and drawing are counted apart
// (`submit_ms_median`), because with a software renderer they are the renderer's work.
#pragma once

#include <string>
#include <vector>

namespace histolab::viewer {

struct FrameCosts {
  double first_frame_ms =
      0;  // from the start of the process to the first frame on screen, by the clock on the wall
  std::vector<double> cpu_ms, submit_ms;
};

// Milliseconds of processor time that this thread has used.
[[nodiscard]] double thread_cpu_ms();
// Milliseconds since this process was started.
[[nodiscard]] double process_age_ms();

[[nodiscard]] std::string benchmark_json(const FrameCosts& costs, std::size_t panels,
                                         const std::string& renderer, double seconds,
                                         double memory_begin_mb, double memory_end_mb);

// Memory of this process that is resident, in MB.
[[nodiscard]] double resident_mb();

}  // namespace histolab::viewer
