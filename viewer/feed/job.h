// Job: a histolab command that prints one JSON value: `list`, `grade`, `model`, `compare`.
//
// It runs in the background; each frame polls it. Destroying a Job ends its command.
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
  // Returns the output once, after the command has ended. Returns an Error if the command could not
  // be started or printed no JSON. The Error holds the command's standard error; with valid JSON,
  // that is passed on to the viewer's own standard error.
  [[nodiscard]] std::optional<Result<nlohmann::json>> take() { return output_.take(); }

 private:
  Later<Result<nlohmann::json>> output_;
};

}  // namespace histolab::viewer
