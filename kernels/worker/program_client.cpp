#include "kernels/worker/program_client.h"

#include <utility>

#include "kernels/worker/asking.h"
#include "kernels/worker/processes/worker_pool.h"

namespace histolab::kernels {

ProgramDevice::ProgramDevice(EmulatorPaths paths) : paths_(std::move(paths)) {
  if (paths_.worker_pool == nullptr)
    paths_.worker_pool = std::make_shared<worker::WorkerPool>(paths_.worker, paths_.confinement);
}

std::vector<std::string> ProgramDevice::library_folders() const {
  return {paths_.include_dir + "/", "/usr/include/", "/usr/lib/", "/usr/local/include/"};
}

Result<std::optional<program::ProgramDescription>> ProgramDevice::describe(
    const Buffer& executable) const {
  worker::Request request;
  request.describes_program = library_folders();
  worker::WorkerRun run =
      TRY(worker::ask(paths_, request, executable, {}, std::chrono::seconds(60)));
  if (!run.answer || !run.answer->description ||
      !program::check_description(*run.answer->description, executable.size()))
    return std::optional<program::ProgramDescription>{};
  return std::move(run.answer->description);
}

Result<emulator::ProgramObservation> ProgramDevice::launch(const Buffer& object,
                                                           emulator::ProgramLaunch launch,
                                                           const Options& options) const {
  if (launch.library_folders.empty()) launch.library_folders = library_folders();
  const std::vector<int> files{launch.memory.fd, launch.memory.written_fd};
  launch.memory.fd = worker::first_buffer_descriptor;
  launch.memory.written_fd = worker::first_buffer_descriptor + 1;
  worker::Request request;
  request.launch = true;
  request.options = options;
  if (options.debugged) request.own_data_limit = worker::worker_memory;
  request.program = std::move(launch);
  worker::WorkerRun run =
      TRY(worker::ask(paths_, request, object, files, options.time_limit, options.live));
  const std::vector<emulator::ProgramAllocation>& allocations = request.program->memory.allocations;
  if (run.answer && run.answer->observations.size() == 1 &&
      run.answer->written.size() == allocations.size())
    return emulator::ProgramObservation{std::move(run.answer->observations.front()),
                                        std::move(run.answer->written), run.process.processor};
  if (options.debugged && !run.answer) return Error{"gdb ended before the kernel did"};
  // The kernel may have written anything before its end.
  emulator::ProgramObservation observation{
      worker::without_answer(run.process, options.time_limit), {}, run.process.processor};
  if (run.process.errors.find("std::bad_alloc") != std::string::npos)
    observation.observation.ending_detail =
        "the emulator ran out of memory. Launch the kernel on less data, or turn off the observers "
        "of races and of initialization";
  for (const emulator::ProgramAllocation& allocation : allocations)
    observation.written.push_back(allocation.written == emulator::WrittenState::all
                                      ? emulator::WrittenState::all
                                      : emulator::WrittenState::some);
  return observation;
}

}  // namespace histolab::kernels
