#include "grader/feedback/progress.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "grader/files/backup.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "reference/nesting.h"

namespace histolab::grader {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* schema = "histolab/progress/1";
constexpr std::string_view family = "histolab/progress/";
constexpr int most_points = 1'000'000;

// Makes other writers wait. On a file system without locks nothing waits: the file stays whole, and
// the next grading restores an update lost between two simultaneous writers.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr int most_tries = 200;
    for (int i = 0; fd_ >= 0 && i < most_tries && !is_held_; ++i) {
      is_held_ = flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
      if (!is_held_) std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
  }
  // False if another program has kept the lock for two seconds. True without locks, as on some
  // file systems.
  [[nodiscard]] bool is_held() const { return is_held_ || fd_ < 0; }
  ~FolderLock() {
    if (fd_ >= 0) close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
  bool is_held_ = false;
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

struct File {
  OrderedJson json = OrderedJson::object();
  bool usable = true, newer = false;
  std::string why;  // if not usable
};

File read(const std::string& path) {
  File file;
  if (!exists(path)) return file;
  const auto refused = [&](std::string why) {
    file.json = OrderedJson::object();
    file.usable = false;
    file.why = std::move(why);
    return file;
  };
  const Result<std::string> text = read_text_file(path, "progress file");
  if (!text) return refused(text.error().message);
  if (!nests_too_deep(*text)) file.json = OrderedJson::parse(*text, nullptr, false);
  const auto found = file.json.is_object() ? file.json.find("schema") : file.json.end();
  if (!file.json.is_object() || found == file.json.end() || !found->is_string() ||
      !found->get_ref<const std::string&>().starts_with(family))
    return refused(fmt::format("{}: not a progress file", path));
  if (*found != schema) {
    file.newer = true;
    return refused(
        fmt::format("{}: was written by a newer version of histolab; left unchanged", path));
  }
  const auto labs = file.json.find("labs");
  if (labs == file.json.end() || !labs->is_object())
    return refused(fmt::format("{}: \"labs\" is not an object", path));
  return file;
}

int whole(const OrderedJson& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_number_unsigned() && *found <= most_points
             ? found->get<int>()
             : 0;
}

LabProgress from(const OrderedJson& entry) {
  if (!entry.is_object()) return {};
  const auto passed = entry.find("passed");
  return {passed != entry.end() && passed->is_boolean() && passed->get<bool>(),
          whole(entry, "score"), whole(entry, "max_score"), whole(entry, "checks_passed"),
          whole(entry, "checks")};
}

bool was_graded(const LabResult& result) { return result.submission && has_mark(result.status); }

LabProgress from(const LabResult& result) {
  const auto passed = std::count_if(
      result.checks.begin(), result.checks.end(),
      [](const CheckResult& each) { return each.status == CheckResult::Status::passed; });
  return {result.status == Verdict::passed, result.score, result.max_score,
          static_cast<int>(passed), static_cast<int>(result.checks.size())};
}

bool is_better(const LabProgress& now, const LabProgress& best) {
  if (now.passed != best.passed) return now.passed;
  return std::pair(now.score, now.checks_passed) > std::pair(best.score, best.checks_passed);
}

}  // namespace

std::string progress_path(const std::string& folder) {
  return (std::filesystem::path(folder) / "progress.json").string();
}

Result<Progress> read_progress(const std::string& folder) {
  const File file = read(progress_path(folder));
  if (!file.usable) return Error{file.why};
  Progress progress;
  if (const auto labs = file.json.find("labs"); labs != file.json.end())
    for (const auto& item : labs->items()) progress[item.key()] = from(item.value());
  return progress;
}

Result<std::string> record_progress(const std::string& folder,
                                    const std::vector<LabResult>& results) {
  if (std::none_of(results.begin(), results.end(), was_graded)) return std::string{};
  const FolderLock lock{folder};
  const std::string path = progress_path(folder);
  if (!lock.is_held()) return Error{fmt::format("{}: another program has locked its folder", path)};
  File file = read(path);
  if (file.newer) return Error{file.why};
  std::string aside;
  if (!file.usable) aside = TRY(back_up(path));
  bool changed = false;
  file.json["schema"] = schema;
  for (const LabResult& result : results) {
    if (!was_graded(result)) continue;
    OrderedJson& entry = file.json["labs"][result.lab];
    const LabProgress now = from(result);
    if (entry.is_object() && !is_better(now, from(entry))) continue;
    if (!entry.is_object()) entry = OrderedJson::object();
    changed = true;
    entry["passed"] = now.passed;
    entry["score"] = now.score;
    entry["max_score"] = now.max_score;
    entry["checks_passed"] = now.checks_passed;
    entry["checks"] = now.checks;
  }
  if (!changed) return aside;
  file.json["version"] = HISTOLAB_VERSION;
  TRY(write_file(path,
                 file.json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n"));
  return aside;
}

}  // namespace histolab::grader
