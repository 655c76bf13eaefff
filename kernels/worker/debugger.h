// Debugger: starts workers in place of run_process(), each under a debugger in the user's terminal.
// Descriptors and environment are the same. Time limits are off, since a person needs time; the
// worker sets its limits for memory and files itself (protocol.h). The user has standard output, so
// the debugger adds debugged_answer_descriptor, to which the worker writes its answer.
#pragma once

#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

class Debugger {
 public:
  virtual ~Debugger() = default;
  // Returns when the worker has ended, with its answer as `output`. `cancelled` means that the
  // debugger ended before the worker did.
  [[nodiscard]] virtual Result<ProcessResult> run(const ProcessSpec& spec) = 0;
};

}  // namespace histolab::kernels::worker
