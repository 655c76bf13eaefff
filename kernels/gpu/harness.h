// The harness's own kernels, compiled by NVRTC together with the student's.
#pragma once

#include <string>

namespace histolab::kernels::gpu {

inline constexpr const char* watchdog_kernel = "histolab_watchdog";  // watchdog.h
inline constexpr const char* read_kernel = "histolab_read";          // read_flush.h

// Returns the CUDA source of these kernels.
[[nodiscard]] const std::string& harness_source();

}  // namespace histolab::kernels::gpu
