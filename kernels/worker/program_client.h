// Launches kernels of whole CUDA programs, each in its own worker process (worker_pool.h).
//
// As in client.h, a worker's answer is untrusted, and a worker that dies is a verdict about the
// kernel it ran. The program's memory is untrusted, too: any kernel may have written anything
// there.
#pragma once

#include "kernels/device.h"
#include "kernels/emulator/emulator.h"
#include "kernels/program/description/description.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::kernels {

class ProgramDevice {
 public:
  explicit ProgramDevice(EmulatorPaths paths);

  // Launches a kernel of `object`, a device object of the program. The descriptors in
  // `launch.memory` are this process's. If `launch.library_folders` is empty, it becomes
  // library_folders(). Returns an Error if the machine fails, or the launch was cancelled.
  [[nodiscard]] Result<emulator::ProgramObservation> launch(const Buffer& object,
                                                            emulator::ProgramLaunch launch,
                                                            const Options& options) const;

  // Describes a program's executable, which is untrusted, and checks the answer. Returns nullopt if
  // the file is not a program of histolab, and an Error if the machine fails.
  [[nodiscard]] Result<std::optional<program::ProgramDescription>> describe(
      const Buffer& executable) const;

  // Returns the folders of files that are not the user's: the shim's and the system's headers.
  [[nodiscard]] std::vector<std::string> library_folders() const;

 private:
  EmulatorPaths paths_;
};

}  // namespace histolab::kernels
