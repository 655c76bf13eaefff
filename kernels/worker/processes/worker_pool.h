// A pool of serving workers (server.h), each in its own sandbox. Each worker handles one order at a
// time; the pool grows to the number of threads that call run() at the same time. See
// docs/architecture.md, "How children are started and ended".
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

class WorkerPool {
 public:
  // Both arguments are borrowed. Without a confinement the workers have limits only.
  WorkerPool(std::string worker, const Confinement* confinement)
      : worker_(std::move(worker)), confinement_(confinement) {}

  // Does the same as run_process(), with the same limits and endings, in a tenth of the time.
  // `spec` has no command, environment, directory or confinement: the pool sets them. Its
  // descriptors are numbered from 3 without a gap. If the child does not end normally, its worker
  // is killed and replaced. Thread-safe. Returns an Error if the machine fails.
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
