// FakeCluster: a scheduler with nodes, for the tests of Dispatch. The test advances its time, and
// `behaviour` decides how each task ends.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "grader/cluster/messages.h"
#include "grader/cluster/scheduler.h"
#include "grader/cluster/spool.h"

namespace histolab::cluster::testing {

class FakeCluster final : public Scheduler {
 public:
  enum class Deed {
    works,
    fails,
    works_half,
    vanishes,
    node_dies_and_it_runs_again,
    runs_twice,
    writes_late,
    lacks_something,
    has_no_spool,
    is_cancelled,
    is_completing,
    hangs,
    cannot_begin,
    has_bad_constraints
  };
  struct FakeTask {
    std::string array;
    std::size_t number = 0, index = 0;
    TaskState state;
    int begun = 0;  // number of starts
  };

  explicit FakeCluster(const Spool& spool, const Assignment& assignment)
      : spool_(spool), assignment_(assignment) {}
  std::function<Deed(const FakeTask& task, const Chunk& chunk)> behaviour =
      [](const FakeTask&, const Chunk&) { return Deed::works; };
  // The message that refuses a submission, or an empty text.
  std::function<std::string()> refuses = [] { return std::string{}; };
  std::vector<std::string> nodes = {"node1", "node2", "node3"};
  std::size_t slots = 4;
  Limits of{.tasks_of_array = 10, .jobs = 1000};
  bool silent = false, takes_though_it_says_no = false, ignores_exclusion = false;
  std::size_t most_jobs = 1'000'000;  // of one user; a submission of more is refused
  std::vector<ArrayRequest> requests;
  std::size_t most_at_once = 0, cancelled = 0;

  Result<Limits> limits() override { return of; }
  Status submit(const ArrayRequest& request) override;
  Result<std::vector<TaskState>> tasks(const std::vector<std::string>& arrays) override;
  Status cancel(const std::vector<std::string>& arrays) override;
  Status cancel_jobs(const std::vector<std::string>& jobs) override;
  Result<std::vector<NodeSize>> node_sizes() override {
    return std::vector<NodeSize>{
        {.partition = "cpu", .is_default = true, .cpus = 2, .mebibytes = 4000, .nodes = 3}};
  }
  // Holds or releases all waiting tasks.
  void hold(bool held, const std::string& reason = "JobHeldAdmin");
  [[nodiscard]] std::size_t alive() const;

  // Advances one second: running tasks end, waiting ones start, late parts are written.
  void step();

 private:
  void cancel_task(FakeTask& task);
  void begin(FakeTask& task);
  void finish(FakeTask& task);
  void write(const FakeTask& task, const Chunk& chunk, std::size_t items,
             const std::string& obstacle = {});

  const Spool& spool_;
  const Assignment& assignment_;
  std::deque<FakeTask> tasks_;
  std::set<const FakeTask*> hanging_;
  std::vector<std::function<void()>> late_;
  std::size_t turn_ = 0, written_ = 0;
};

}  // namespace histolab::cluster::testing
