#include "kernels/worker/asking.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "kernels/worker/debugger.h"
#include "kernels/worker/processes/worker_pool.h"

namespace histolab::kernels::worker {
namespace {

// Wall-clock limit of a launch as a multiple of its CPU time limit: other processes need the
// machine, too.
constexpr int patience = 6;

}  // namespace

Descriptor for_reading(int descriptor) {
  return Descriptor(
      open(fmt::format("/proc/self/fd/{}", descriptor).c_str(), O_RDONLY | O_CLOEXEC));
}

Error cannot_reopen() {
  return Error{
      fmt::format("cannot open a buffer for reading: {}; is /proc there?", std::strerror(errno))};
}

Result<WorkerRun> ask(const EmulatorPaths& paths, const Request& request, const Buffer& object,
                      const std::vector<int>& buffers, std::chrono::milliseconds time,
                      const Live* live) {
  const std::string text = to_text(request);
  Buffer asked =
      TRY(Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  ProcessSpec spec;
  spec.command = {paths.worker};
  // The object is used by later launches, too.
  const Descriptor request_bytes = for_reading(asked.fd()), object_bytes = for_reading(object.fd());
  if (request_bytes.get() < 0 || object_bytes.get() < 0) return cannot_reopen();
  spec.descriptors = {{request_bytes.get(), request_descriptor},
                      {object_bytes.get(), object_descriptor}};
  for (std::size_t i = 0; i < buffers.size(); ++i)
    spec.descriptors.emplace_back(buffers[i], first_buffer_descriptor + static_cast<int>(i));
  spec.fixed_addresses = true;
  spec.cancellation = paths.cancellation;
  if (live != nullptr) spec.is_held_back = [live] { return live->held_back(); };
  spec.limits.cpu_seconds = static_cast<std::uint64_t>((time * slowness).count() / 1000 + 1);
  spec.limits.wall = time * slowness * patience;
  spec.limits.data_bytes = worker_memory;
  spec.limits.file_bytes = no_file_bytes;
  ProcessResult ran =
      TRY(request.options.debugged ? paths.debugger->run(spec) : paths.worker_pool->run(spec));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran.end == ProcessResult::End::exited && ran.code == 127)
    return Error{
        fmt::format("cannot start the worker {}; build it again with ./histolab", paths.worker)};
  WorkerRun run;
  if (ran.end == ProcessResult::End::exited && ran.code == 0 && !ran.output_cut)
    if (auto answer = answer_from(ran.output)) run.answer = std::move(*answer);
  run.process = std::move(ran);
  if (run.answer && !run.answer->machine_error.empty()) return Error{run.answer->machine_error};
  return run;
}

Observation without_answer(const ProcessResult& process, std::chrono::milliseconds limit) {
  Observation observation;
  if (process.end == ProcessResult::End::timed_out) {
    observation.ending = Ending::timed_out;
    observation.ending_detail = fmt::format(
        "the kernel was still running after {:.1f} s of processor time. Look for a loop that never "
        "ends",
        static_cast<double>(limit.count()) / 1000);
    return observation;
  }
  observation.ending = Ending::crashed;
  if (process.end == ProcessResult::End::signalled && process.code == SIGSYS) {
    observation.ending_detail =
        "the kernel was stopped because it made a system call. Look for an invalid index or "
        "pointer; a kernel only computes";
    return observation;
  }
  observation.ending_detail =
      process.end == ProcessResult::End::signalled
          ? fmt::format(
                "the process that ran the kernel was ended by signal {} ({}). Look for an invalid "
                "index or pointer",
                process.code, strsignal(process.code))
      : process.code != 0 ? fmt::format(
                                "the process that ran the kernel exited with status {}. Look for a "
                                "call to a host function, and for an invalid index",
                                process.code)
                          : std::string(
                                "the process that ran the kernel ended without a usable answer. "
                                "Look for an invalid index or pointer");
  return observation;
}

}  // namespace histolab::kernels::worker
