// One request to a worker, and its answer.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/live.h"
#include "kernels/worker/compiling/emulator_paths.h"
#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/protocol/protocol.h"

namespace histolab::kernels::worker {

#ifdef HISTOLAB_SANITIZED
inline constexpr std::uint64_t worker_memory =
    ~0ull;  // the sanitizer reserves terabytes but uses little
inline constexpr int slowness = 12;
#else
inline constexpr std::uint64_t worker_memory = most_memory_of_launch;
inline constexpr int slowness = 1;
#endif

struct WorkerRun {
  ProcessResult process;
  std::optional<Answer> answer;  // nullopt if the worker died or its answer is invalid
};

// Sends a request to a worker of the pool, or starts one for the debugger. `buffers`: the worker's
// descriptors from first_buffer_descriptor on. `time`: limit of the worker's CPU time. Returns an
// Error if the machine fails, or if the request was cancelled.
[[nodiscard]] Result<WorkerRun> ask(const EmulatorPaths& paths, const Request& request,
                                    const Buffer& object, const std::vector<int>& buffers,
                                    std::chrono::milliseconds time, const Live* live = nullptr);

// Reopens a descriptor for reading only, whatever access the original allows. If it fails, the
// result is negative, and cannot_reopen() says why.
[[nodiscard]] Descriptor for_reading(int descriptor);
[[nodiscard]] Error cannot_reopen();

// Returns the observation of a launch whose worker did not answer. `limit`: the launch's limit of
// processor time.
[[nodiscard]] Observation without_answer(const ProcessResult& process,
                                         std::chrono::milliseconds limit);

}  // namespace histolab::kernels::worker
