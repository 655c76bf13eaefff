#include "grader/cluster/testing/fake_cluster.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

namespace histolab::cluster::testing {

using Kind = TaskState::Kind;

Status FakeCluster::submit(const ArrayRequest& request) {
  if (silent) return Error{"Unable to contact slurm controller"};
  const std::string no = alive() + request.tasks > most_jobs
                             ? "Job violates accounting/QOS policy (job submit limit)"
                             : refuses();
  if (!no.empty() && !takes_though_it_says_no) return Error{no};
  requests.push_back(request);
  for (std::size_t i = 0; i < request.tasks; ++i) {
    FakeTask& task = tasks_.emplace_back();
    task.state.job = request.name + "_" + std::to_string(i);
    task.array = request.name;
    task.number = std::stoul(request.arguments.front());
    task.index = i;
    task.state.array = request.name;
    task.state.index = i;
    task.state.word = "PENDING";
  }
  most_at_once = std::max(most_at_once, alive());
  return no.empty() ? Status{Done{}} : Status{Error{no}};
}

Result<std::vector<TaskState>> FakeCluster::tasks(const std::vector<std::string>& arrays) {
  if (silent) return Error{"Unable to contact slurm controller"};
  std::vector<TaskState> states;
  for (const FakeTask& task : tasks_)
    if (std::ranges::count(arrays, task.array) > 0 && task.state.word != "GONE")
      states.push_back(task.state);
  return states;
}

void FakeCluster::cancel_task(FakeTask& task) {
  if (task.state.kind == Kind::ended) return;
  task.state.kind = Kind::ended;
  task.state.word = "CANCELLED";
  ++cancelled;
}

Status FakeCluster::cancel(const std::vector<std::string>& arrays) {
  for (FakeTask& task : tasks_)
    if (std::ranges::count(arrays, task.array) > 0) cancel_task(task);
  return Done{};
}

Status FakeCluster::cancel_jobs(const std::vector<std::string>& jobs) {
  for (FakeTask& task : tasks_)
    if (std::ranges::count(jobs, task.state.job) > 0) cancel_task(task);
  return Done{};
}

void FakeCluster::hold(bool held, const std::string& reason) {
  for (FakeTask& task : tasks_) {
    if (task.state.kind != (held ? Kind::waiting : Kind::stuck)) continue;
    task.state.kind = held ? Kind::stuck : Kind::waiting;
    task.state.reason = held ? reason : "Priority";
  }
}

std::size_t FakeCluster::alive() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      tasks_, [](const FakeTask& task) { return task.state.kind != Kind::ended; }));
}

void FakeCluster::step() {
  for (auto& write : std::exchange(late_, {})) write();
  for (FakeTask& task : tasks_)
    if (task.state.kind == Kind::running && !hanging_.contains(&task)) finish(task);
  std::size_t free = slots;
  for (FakeTask& task : tasks_) {
    if (task.state.kind == Kind::running) free = free > 0 ? free - 1 : 0;
  }
  for (FakeTask& task : tasks_) {
    if (task.state.kind != Kind::waiting || free == 0) continue;
    --free;
    begin(task);
  }
}

void FakeCluster::begin(FakeTask& task) {
  const auto request = std::ranges::find(requests, task.array, &ArrayRequest::name);
  std::vector<std::string> allowed;
  for (const std::string& node : nodes)
    if (ignores_exclusion || std::ranges::count(request->excluded, node) == 0)
      allowed.push_back(node);
  if (allowed.empty()) return;
  task.state.kind = Kind::running;
  task.state.word = "RUNNING";
  task.state.node = allowed[turn_++ % allowed.size()];
  ++task.begun;
}

void FakeCluster::finish(FakeTask& task) {
  const Chunk chunk = *spool_.chunk(spool_.array(task.number)->chunks.at(task.index));
  const Deed deed = behaviour(task, chunk);
  TaskState& state = task.state;
  state.kind = Kind::ended;
  state.word = "COMPLETED";
  const FakeTask now = task;
  switch (deed) {
    case Deed::works: return write(now, chunk, chunk.items.size());
    case Deed::fails:
      state.word = "FAILED";
      state.exit_code = 1;
      return;
    case Deed::works_half: state.word = "TIMEOUT"; return write(now, chunk, chunk.items.size() / 2);
    case Deed::vanishes: state.word = "GONE"; return;
    case Deed::node_dies_and_it_runs_again:
      state.kind = Kind::waiting;
      state.word = "PENDING";
      state.node.clear();
      return;
    case Deed::runs_twice:
      write(now, chunk, chunk.items.size());
      return write(now, chunk, chunk.items.size());
    case Deed::writes_late:
      late_.push_back([this, now, chunk] { write(now, chunk, chunk.items.size()); });
      return;
    case Deed::lacks_something:
      state.word = "FAILED";
      return write(now, chunk, 0, "it has no sandbox");
    case Deed::has_no_spool:
      state.word = "FAILED";
      state.exit_code = no_spool;
      return;
    case Deed::is_completing:
      state.kind = Kind::running;
      state.word = "COMPLETING";
      hanging_.insert(&task);
      return;
    case Deed::is_cancelled: state.word = "CANCELLED"; return;
    case Deed::cannot_begin:
      state.word = "PENDING";
      state.reason = "launch failed requeued held";
      state.node.clear();
      return;
    case Deed::has_bad_constraints:
      state.word = "FAILED";
      state.reason = "BadConstraints";
      state.node.clear();
      return;
    case Deed::hangs:
      state.kind = Kind::running;
      state.word = "RUNNING";
      hanging_.insert(&task);
      return;
  }
}

void FakeCluster::write(const FakeTask& task, const Chunk& chunk, std::size_t items,
                        const std::string& obstacle) {
  Part part;
  part.spool = assignment_.id;
  part.array = task.number;
  part.index = task.index;
  part.complete = obstacle.empty() && items == chunk.items.size();
  part.failure = obstacle;
  part.node.name = task.state.node;
  if (!obstacle.empty()) part.node.obstacles = {obstacle};
  for (std::size_t i = 0; i < items; ++i) {
    Found found{chunk.items[i].grading, {}};
    if (chunk.phase == Phase::measure)
      found.measured = "times of " + chunk.items[i].grading;
    else
      found.outcome = {"passed", 1, chunk.items[i].measured, 0.1, part.node.name};
    part.found.push_back(std::move(found));
  }
  REQUIRE(spool_.put(part, std::to_string(++written_)));
}

}  // namespace histolab::cluster::testing
