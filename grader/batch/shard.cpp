#include "grader/batch/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <utility>

#include "grader/batch/groups.h"

namespace histolab::batch {
namespace {

bool read_number(std::string_view text, std::size_t& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc{} && stop == end;
}

}  // namespace

Result<Shard> shard_from(std::string_view text) {
  if (text.empty()) return Shard{};
  Shard shard;
  const std::size_t slash = text.find('/');
  const bool is_read = slash != std::string_view::npos &&
                       read_number(text.substr(0, slash), shard.number) &&
                       read_number(text.substr(slash + 1), shard.of);
  if (!is_read || shard.number < 1 || shard.number > shard.of || shard.of > most_shards)
    return Error{
        fmt::format("{}: not a shard; write I/N, for example 2/5: the second of five parts", text)};
  return shard;
}

std::string to_text(const Shard& shard) {
  return shard.is_whole() ? "" : fmt::format("{}/{}", shard.number, shard.of);
}

Result<std::vector<Task>> works_in(Journal& journal, const Shard& shard) {
  std::vector<Task> all = TRY(journal.works());
  if (shard.is_whole()) return all;
  std::vector<std::vector<Task>> groups = groups_of(std::move(all));
  std::vector<Task> works;
  for (std::size_t i = shard.number - 1; i < groups.size(); i += shard.of)
    for (Task& task : groups[i]) works.push_back(std::move(task));
  return works;
}

Result<std::vector<Task>> outstanding_in(Journal& journal, const Shard& shard) {
  std::vector<Task> outstanding = TRY(journal.outstanding());
  if (shard.is_whole()) return outstanding;
  std::set<std::pair<std::string, std::string>> works;
  for (const Task& task : TRY(works_in(journal, shard))) works.emplace(task.student, task.lab);
  std::erase_if(outstanding, [&](const Task& task) {
    return !works.contains({task.student, task.lab});
  });
  return outstanding;
}

}  // namespace histolab::batch
