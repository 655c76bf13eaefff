#include "grader/batch/memory.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "grader/words/words.h"

namespace histolab::batch {
namespace {

// Larger values mean no limit: cgroup version 1 has the largest multiple of a page.
constexpr std::uint64_t no_limit = 1ull << 60;

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file{path};
  std::uint64_t value = 0;
  if (!(file >> value) || value >= no_limit) return std::nullopt;  // "max" is not a number
  return value;
}

}  // namespace

std::uint64_t processes_ended_for_memory() {
  std::ifstream counters{"/proc/vmstat"};
  std::string name;
  for (std::uint64_t value = 0; counters >> name >> value;)
    if (name == "oom_kill") return value;
  return 0;
}

// "0::/slurm/job_7" is version 2, "4:memory:/slurm/job_7" version 1. A file may have both.
std::optional<std::uint64_t> memory_limit(std::string_view groups, const std::string& root) {
  std::optional<std::uint64_t> least;
  for (const std::string& line : grader::lines_of(groups)) {
    const std::size_t first = line.find(':'),
                      second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool is_second = kinds == ",,";
    if (!is_second && kinds.find(",memory,") == std::string::npos) continue;
    const std::string folder = root + (is_second ? "" : "/memory"),
                      file = is_second ? "/memory.max" : "/memory.limit_in_bytes";
    for (std::string group = line.substr(second + 1); !group.empty();
         group.resize(group.rfind('/'))) {
      if (const auto limit = number_in(folder + group + file))
        least = std::min(least.value_or(*limit), *limit);
      if (group.find('/') == std::string::npos) break;
    }
  }
  return least;
}

std::optional<std::uint64_t> memory_limit() {
  std::ifstream file{"/proc/self/cgroup"};
  return memory_limit(std::string{std::istreambuf_iterator<char>{file}, {}}, "/sys/fs/cgroup");
}

}  // namespace histolab::batch
