// Dispatch: takes over the tasks of an earlier process, after a kill or a Ctrl-C.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "grader/cluster/dispatch.h"

namespace histolab::cluster {

Status Dispatch::load_arrays() {
  const std::vector<std::size_t> arrays = TRY(spool_.arrays());
  const std::vector<std::size_t> chunks = TRY(spool_.chunks());
  if (!chunks.empty()) next_chunk_ = chunks.back() + 1;
  if (!arrays.empty()) next_array_ = arrays.back() + 1;
  for (const std::size_t number : arrays) arrays_[number] = TRY(spool_.array(number)).chunks;
  return Done{};
}

// Takes the chunk's items out of `wanted`. With `array` 0 the chunk is submitted later.
Status Dispatch::adopt_chunk(std::size_t number, std::size_t array, std::size_t index,
                             std::set<std::string>& wanted) {
  const Chunk chunk = TRY(spool_.chunk(number));
  InFlight known;
  known.phase = chunk.phase;
  known.tries = chunk.tries;
  known.array = array;
  known.index = index;
  for (const Item& item : chunk.items)
    if (!item.solution && wanted.erase(item.grading) > 0) known.left.insert(item.grading);
  if (known.left.empty()) return Done{};
  if (array == 0) to_submit_.push_back(number);
  chunks_.emplace(number, std::move(known));
  return Done{};
}

Status Dispatch::adopt(const std::set<std::string>& wanted) {
  TRY(load_arrays());
  if (arrays_.empty()) return Done{};
  const Result<std::vector<TaskState>> states = states_of(names(true));
  if (!states)
    return Error{
        fmt::format("Slurm does not answer: {}. Submitted tasks keep running; try again later",
                    states.error().message)};
  const std::vector<std::string> parts = TRY(spool_.parts());
  const std::vector<std::size_t> numbers = TRY(spool_.chunks());
  std::map<std::string, std::size_t> by_name;
  std::map<std::pair<std::size_t, std::size_t>, std::string> alive;  // the scheduler's job names
  std::set<std::pair<std::size_t, std::size_t>> wrote;
  for (const auto& [number, list] : arrays_) by_name[spool_.job_name(assignment_, number)] = number;
  for (const TaskState& state : *states)
    if (state.kind != TaskState::Kind::ended && state.word != "COMPLETING" &&
        by_name.contains(state.array))
      alive.emplace(std::pair{by_name[state.array], state.index}, state.job);
  for (const std::string& path : parts) {
    std::size_t array = 0, index = 0;
    if (std::sscanf(std::filesystem::path(path).filename().c_str(), "%zu-%zu-", &array, &index) ==
        2)
      wrote.emplace(array, index);
  }
  std::set<std::string> left = wanted;
  std::set<std::size_t> submitted, adopted;
  const std::set<std::size_t> there{numbers.begin(), numbers.end()};
  const auto adopt_task = [&](std::size_t array, std::size_t index) -> Result<bool> {
    const auto list = arrays_.find(array);
    if (list == arrays_.end() || index >= list->second.size()) return false;
    const std::size_t number = list->second[index];
    // An earlier run may have removed the chunk.
    if (adopted.insert(number).second && there.contains(number))
      TRY(adopt_chunk(number, array, index, left));
    return chunks_.contains(number);
  };
  std::vector<std::string> unwanted;
  for (const auto& [task, job] : alive) {
    const bool wants = TRY(adopt_task(task.first, task.second));
    if (!wants) unwanted.push_back(job);
  }
  for (const auto& [array, index] : wrote) TRY(adopt_task(array, index));
  for (const std::vector<std::string>& lot : in_lots(unwanted))
    if (Status cancelled = scheduler_.cancel_jobs(lot); !cancelled)
      events_.report(fmt::format("tasks that are no longer needed could not be cancelled: {}",
                                 cancelled.error().message));
  for (const auto& [number, list] : arrays_) submitted.insert(list.begin(), list.end());
  for (const std::size_t number : numbers)
    if (!submitted.contains(number)) TRY(adopt_chunk(number, 0, 0, left));
  for (const std::size_t number : numbers)
    if (!chunks_.contains(number)) spool_.remove_chunk(number);
  return read_parts();
}

std::set<std::string> Dispatch::expected() const {
  std::set<std::string> gradings;
  for (const auto& [number, chunk] : chunks_) {
    gradings.insert(chunk.left.begin(), chunk.left.end());
    for (const auto& [grading, times] : chunk.measured) gradings.insert(grading);
  }
  return gradings;
}

}  // namespace histolab::cluster
