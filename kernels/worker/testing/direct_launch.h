// A launch of any object file by the emulator itself: without a worker process, in a child of the
// test that may crash.
#pragma once

#include <optional>
#include <string>

#include "kernels/emulator/emulator.h"
#include "kernels/worker/testing/kernel_fixture.h"

namespace histolab::kernels::testing {

// Returns nullopt if the source would be rejected.
[[nodiscard]] std::optional<Buffer> compile_to_object(const std::string& source);

// Returns the worker's answer without its time, the child's wait status, and the outputs.
[[nodiscard]] std::string launch_directly(const Buffer& object, const std::string& kernel,
                                          const Launch& launch);

}  // namespace histolab::kernels::testing
