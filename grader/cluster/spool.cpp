#include "grader/cluster/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/words/words.h"

namespace histolab::cluster {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t longest_bytes = 1ull << 30;  // of a file in the spool
// Restarts of one task by Slurm. After that the batch submits smaller pieces.
constexpr int most_restarts = 3;
constexpr const char* subfolders[] = {"chunks", "arrays", "results", "logs"};

Result<std::string> text_of(const std::string& path) {
  return grader::read_text_file(path, "file of a batch on a cluster", longest_bytes);
}

template <class Value>
Result<Value> value_of(const std::string& path,
                       Result<Value> (*from)(std::string_view, const std::string&)) {
  return from(TRY(text_of(path)), path);
}

Result<std::string> random_id() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    return Error{"this machine has no source of random numbers"};
  return fmt::format("{:016x}", number);
}

// The exit codes show what a node lacks even if it cannot write to the spool. The paths of the
// program and the spool are those on the machine that submits.
std::string script_of(const Assignment& assignment, const std::string& folder) {
  return fmt::format(
      "#!/bin/sh\n"
      "# One task of `histolab batch --engine slurm`: grades the submissions of one chunk and "
      "writes the results into the spool.\n"
      "spool={} array=$1 program={}\n"
      "[ \"${{SLURM_RESTART_COUNT:-0}}\" -le {} ] || exit {}\n"
      "for second in 1 2 3 4 5; do [ -d \"$spool\" ] && break; sleep 1; done\n"
      "[ -d \"$spool\" ] || exit {}\n"
      "[ -w \"$spool/results\" ] || exit {}\n"
      "[ -x \"$program\" ] || exit {}\n"
      "exec \"$program\" --labs {} task \"$spool\" \"$array\" \"$SLURM_ARRAY_TASK_ID\" "
      "2>>\"$spool/logs/$array-$SLURM_ARRAY_TASK_ID.log\"\n",
      grader::single_quoted(folder), grader::single_quoted(assignment.program), most_restarts,
      started_too_often, no_spool, spool_not_writable, no_program,
      grader::single_quoted(assignment.labs_folder));
}

// The numbers in the file names of the folder.
Result<std::vector<std::size_t>> numbers_in(const std::string& folder) {
  std::vector<std::size_t> numbers;
  std::error_code failure;
  for (fs::directory_iterator at{folder, failure}, end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    std::size_t number = 0;
    const auto [stop, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (wrong == std::errc{} && std::string_view{stop} == ".json") numbers.push_back(number);
  }
  if (failure) return Error{fmt::format("{}: cannot be read: {}", folder, failure.message())};
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

bool Spool::exists() const {
  std::error_code failure;
  return fs::status(folder_ + "/spool.json", failure).type() != fs::file_type::not_found;
}

bool Spool::is_gone() const {
  std::error_code failure;
  return !exists() && fs::exists(fs::path(folder_).parent_path(), failure);
}

Result<Assignment> Spool::make(Assignment assignment) {
  assignment.id = TRY(random_id());
  remove();  // leftovers of a batch that was killed in this function
  if (mkdir(folder_.c_str(), 0700) != 0)
    return Error{fmt::format("{}: cannot be created: {}", folder_, std::strerror(errno))};
  for (const char* name : subfolders)
    if (mkdir((folder_ + "/" + name).c_str(), 0700) != 0)
      return Error{
          fmt::format("{}/{}: cannot be created: {}", folder_, name, std::strerror(errno))};
  TRY(grader::write_file(script(), script_of(assignment, folder_)));
  TRY(grader::write_file(folder_ + "/spool.json", to_json(assignment)));
  return assignment;
}

Result<Assignment> Spool::assignment() const {
  return value_of(folder_ + "/spool.json", assignment_from_json);
}

void Spool::remove() const {
  std::error_code failure;
  fs::remove(folder_ + "/spool.json", failure);  // first, so that no task starts work
  fs::remove_all(folder_, failure);
}

std::string Spool::job_name(const Assignment& assignment, std::size_t array) const {
  return fmt::format("histolab-{}-{}", assignment.id, array);
}

std::string Spool::at(const char* kind, std::size_t number) const {
  return fmt::format("{}/{}/{}.json", folder_, kind, number);
}

Status Spool::put(const Chunk& chunk) const {
  return grader::write_file(at("chunks", chunk.number), to_json(chunk));
}
Result<Chunk> Spool::chunk(std::size_t number) const {
  return value_of(at("chunks", number), chunk_from_json);
}
Status Spool::put(const Array& array) const {
  return grader::write_file(at("arrays", array.number), to_json(array));
}
Result<Array> Spool::array(std::size_t number) const {
  return value_of(at("arrays", number), array_from_json);
}
Result<std::vector<std::size_t>> Spool::chunks() const { return numbers_in(folder_ + "/chunks"); }
Result<std::vector<std::size_t>> Spool::arrays() const { return numbers_in(folder_ + "/arrays"); }

Status Spool::put(const Part& part, const std::string& unique) const {
  return grader::write_file(
      fmt::format("{}/results/{}-{}-{}.json", folder_, part.array, part.index, unique),
      to_json(part));
}

Result<std::vector<std::string>> Spool::parts() const {
  std::vector<std::string> found;
  std::error_code failure;
  for (fs::directory_iterator file{folder_ + "/results", failure}, end; !failure && file != end;
       file.increment(failure)) {
    const std::string name = file->path().filename().string();
    if (!name.starts_with(".") && name.ends_with(".json")) found.push_back(file->path().string());
  }
  if (failure)
    return Error{fmt::format("{}/results: cannot be read: {}", folder_, failure.message())};
  std::ranges::sort(found);
  return found;
}

std::vector<Part> Spool::readable_parts(const std::string& id) const {
  std::vector<Part> read;
  const Result<std::vector<std::string>> paths = parts();
  if (!paths) return read;
  for (const std::string& path : *paths)
    if (Result<Part> part = value_of(path, part_from_json); part && part->spool == id)
      read.push_back(std::move(*part));
  return read;
}

Status Spool::put_probe(const std::vector<Part>& parts) const {
  std::string text;
  for (const Part& part : parts) text += to_json(part);
  return grader::write_file(folder_ + "/probe.json", text);
}

Result<std::optional<std::vector<Part>>> Spool::probe() const {
  const std::string path = folder_ + "/probe.json";
  std::error_code failure;
  if (!fs::exists(path, failure)) return std::optional<std::vector<Part>>{};
  const std::string text = TRY(text_of(path));
  std::vector<Part> parts;
  for (const std::string& line : grader::lines_of(text)) {
    if (line.empty()) continue;
    parts.push_back(TRY(part_from_json(line, path)));
  }
  return std::optional{std::move(parts)};
}

Status Spool::cancel() const {
  const std::string path = folder_ + "/cancelled";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return Error{fmt::format("{}: cannot be created: {}", path, std::strerror(errno))};
  close(fd);
  return Done{};
}

void Spool::remove_chunk(std::size_t number) const {
  std::error_code failure;
  fs::remove(at("chunks", number), failure);
}

bool Spool::is_cancelled() const {
  std::error_code failure;
  return fs::exists(folder_ + "/cancelled", failure);
}

Status Spool::take_cancel_back() const {
  std::error_code failure;
  fs::remove(folder_ + "/cancelled", failure);
  if (failure)
    return Error{fmt::format("{}/cancelled: cannot be removed: {}", folder_, failure.message())};
  return Done{};
}

std::string Spool::last_log_line(std::size_t array, std::size_t index) const {
  const Result<std::string> text =
      grader::read_text_file(fmt::format("{}/logs/{}-{}.log", folder_, array, index), "log");
  if (!text) return {};
  std::vector<std::string> lines = grader::lines_of(*text);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines.empty() ? std::string{} : lines.back();
}

}  // namespace histolab::cluster
