// Job: a command of histolab whose whole output, one JSON value, is wanted: `list`, `grade`,
// `model`, `compare`.
//
// It runs beside the frame, which asks each time whether it is done. Letting go of a Job ends its
// command.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reference/result.h"
#include "viewer/feed/later.h"

namespace histolab::viewer {

class Job {
 public:
  explicit Job(std::vector<std::string> command);

  [[nodiscard]] bool running() const { return output_.running(); }
  // Once, when it has ended: what it printed. Error: it could not be started, or printed no JSON;
  // then it is what the command said on its standard error, which is otherwise passed on to ours.
  [[nodiscard]] std::optional<Result<nlohmann::json>> take() { return output_.take(); }

 private:
  Later<Result<nlohmann::json>> output_;
};

}  // namespace histolab::viewer
