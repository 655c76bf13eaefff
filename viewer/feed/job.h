// Job: a command of histolab whose whole output, one JSON value, is wanted: `list`, `grade`, `model`, `compare`.
//
// It runs beside the frame, which asks each time whether it is done. Letting go of a Job ends its command.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reference/result.h"
#include "viewer/feed/worker_thread.h"

namespace histolab::viewer {

class Job {
 public:
  explicit Job(std::vector<std::string> command);

  [[nodiscard]] bool running() const;
  // Once, when it has ended: what it printed. Error: it could not be started, or printed no JSON.
  [[nodiscard]] std::optional<Result<nlohmann::json>> take();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  WorkerThread thread_;
};

}  // namespace histolab::viewer
