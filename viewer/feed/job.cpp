#include "viewer/feed/job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "grader/words.h"
#include "viewer/feed/child.h"

namespace histolab::viewer {
namespace {

constexpr std::size_t most_bytes = 64 << 20, most_complaint = 4096;

// A file in memory for what a command says on its standard error; the command's own where there is none to be had.
class Complaints {
 public:
  Complaints() : descriptor_(memfd_create("complaints", MFD_CLOEXEC)) {}
  ~Complaints() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string text() const {
    std::string text(most_complaint, '\0');
    const ssize_t count = descriptor_ < 0 ? 0 : pread(descriptor_, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return grader::harmless(std::move(text));
  }

 private:
  int descriptor_;
};

Error failure(const std::vector<std::string>& command, int status, std::string complaint) {
  constexpr std::string_view name = "histolab: ";  // what its messages begin with
  if (complaint.starts_with(name)) complaint.erase(0, name.size());
  while (complaint.ends_with('\n')) complaint.pop_back();
  if (!complaint.empty()) return Error{std::move(complaint)};
  return Error{fmt::format("`{}` ended with status {} and said nothing that can be read; try it in a terminal",
                           fmt::join(command, " "), status)};
}

Result<nlohmann::json> output_of(const std::vector<std::string>& command, const std::stop_token& stop) {
  const Complaints complaints;
  Result<Child> child = Child::start(command, complaints.descriptor());
  if (!child) return child.error();
  std::string output;
  for (;;) {
    if (stop.stop_requested()) return Error{fmt::format("{} was stopped", command.front())};
    const std::optional<std::string> bytes = child->read(std::chrono::milliseconds{20});
    if (!bytes) break;
    output += *bytes;
    if (output.size() > most_bytes) return Error{fmt::format("{} printed more than can be read", command.front())};
  }
  const int status = child->wait();
  nlohmann::json json = nlohmann::json::parse(output, nullptr, false);
  if (json.is_discarded()) return failure(command, status, complaints.text());
  std::fputs(complaints.text().c_str(), stderr);
  return json;
}

}  // namespace

Job::Job(std::vector<std::string> command)
    : output_([command = std::move(command)](const std::stop_token& stop) { return output_of(command, stop); }) {}

}  // namespace histolab::viewer
