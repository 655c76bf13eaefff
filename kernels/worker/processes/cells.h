// Cells: workers that serve (server.h), each in a sandbox of its own, kept ready and asked one thing at a time.
//
// run() is run_process() for a worker, in a tenth of the time: the same limits, the same endings. A cell whose child did not end as
// it should is torn down and replaced, so that whatever went wrong in it ends there. A cell is made when it is first needed; there are
// as many as threads that ask at once.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

class Cells {
 public:
  // Both are borrowed; no confinement: limits only.
  Cells(std::string worker, const Confinement* confinement) : worker_(std::move(worker)), confinement_(confinement) {}

  // `spec` without command, environment, directory, confinement: those are the cell's. Its
  // descriptors are numbered from 3 on, without a gap. From any thread. Returns an Error if the
  // machine fails.
  [[nodiscard]] Result<ProcessResult> run(const ProcessSpec& spec);

 private:
  struct Cell {
    Descriptor socket;
    Companion server;
  };
  [[nodiscard]] Result<std::unique_ptr<Cell>> take(const Cancellation* cancellation);

  const std::string worker_;
  const Confinement* const confinement_;
  std::mutex taking_;
  std::vector<std::unique_ptr<Cell>> idle_;
};

}  // namespace histolab::kernels::worker
