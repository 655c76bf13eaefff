#include "viewer/feed/job.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "viewer/feed/child.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

constexpr std::size_t most_bytes = 64 << 20;

Result<nlohmann::json> output_of(const std::vector<std::string>& command,
                                 const std::stop_token& stop) {
  Child child = TRY(Child::start(command));
  std::string output;
  for (;;) {
    if (stop.stop_requested()) return Error{fmt::format("{} was stopped", command.front())};
    const std::optional<std::string> bytes = child.read(std::chrono::milliseconds{20});
    if (!bytes) break;
    output += *bytes;
    if (output.size() > most_bytes)
      return Error{fmt::format("{} printed too much output", command.front())};
  }
  const int status = child.wait();
  nlohmann::json json = parsed(output);
  if (json.is_discarded()) return describe_failure(command, status, child.error_output());
  std::fputs(child.error_output().c_str(), stderr);
  return json;
}

}  // namespace

Job::Job(std::vector<std::string> command)
    : output_([command = std::move(command)](const std::stop_token& stop) {
        return output_of(command, stop);
      }) {}

}  // namespace histolab::viewer
