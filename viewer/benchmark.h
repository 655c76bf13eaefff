// Benchmark: the processor time of a frame while a stream runs, for `view --benchmark`.
//
// The time is measured on the frame's own thread (CLOCK_THREAD_CPUTIME_ID), from polling for input
// up to ImGui's draw data. That is the viewer's own work. Submitting the data to OpenGL is counted
// separately (`submit_ms_median`), because a software renderer draws during that time.
#pragma once

#include <string>
#include <vector>

namespace histolab::viewer {

struct FrameCosts {
  // Wall-clock time from the start of the process to the first frame on screen.
  double first_frame_ms = 0;
  std::vector<double> cpu_ms, submit_ms;
};

// Processor time of this thread, in milliseconds.
[[nodiscard]] double thread_cpu_ms();
// Time since the start of this process, in milliseconds.
[[nodiscard]] double process_age_ms();

[[nodiscard]] std::string benchmark_json(const FrameCosts& costs, std::size_t panels,
                                         const std::string& renderer, double seconds,
                                         double memory_begin_mb, double memory_end_mb);

// Resident memory of this process, in MB.
[[nodiscard]] double resident_mb();

}  // namespace histolab::viewer
