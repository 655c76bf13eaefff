// Scheduler: the operations that a batch needs from a cluster's job scheduler. slurm.h implements
// them for Slurm; tests use another implementation (testing/fake_cluster.h).
//
// The batch chooses an array's name before it submits the array. So it does not have to record
// submissions: after a kill, the names still identify the tasks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::cluster {

struct ArrayRequest {
  std::string name;
  std::size_t tasks = 1;               // numbered from 0
  std::string script;                  // runs once per task
  std::vector<std::string> arguments;  // of the script
  unsigned cpus = 1;                   // per task
  unsigned minutes = 10;               // time limit of a task
  std::size_t mebibytes = 0;           // memory limit of a task; 0 for the scheduler's default
  // Empty for the scheduler's default.
  std::string partition, account, gres;
  std::vector<std::string> excluded;  // nodes
  // Additional options from the user. They override partition, account, gres, minutes and
  // mebibytes.
  std::vector<std::string> more;
};

struct TaskState {
  // stuck: the task waits for an action of the user or an administrator.
  enum class Kind { waiting, stuck, running, ended };
  std::string array;  // name of the array
  std::string job;    // the scheduler's name for the task
  std::size_t index = 0;
  Kind kind = Kind::waiting;
  std::string word;    // the scheduler's state: "PENDING", "NODE_FAIL"
  std::string node;    // empty before the task has a node
  std::string reason;  // why the task waits; may be empty
  int exit_code = 0;   // if the task exited
};

struct Limits {
  std::size_t tasks_of_array = 1001;
  std::size_t jobs = 10'000;  // in the queue at once, all users together
};

// Nodes of equal size in one partition.
struct NodeSize {
  std::string partition;
  bool is_default = false;  // the partition of jobs that name none
  unsigned cpus = 0;        // per node
  std::size_t mebibytes = 0;
  std::size_t nodes = 0;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  [[nodiscard]] virtual Result<Limits> limits() = 0;
  // Returns an Error with the scheduler's message if it refused the array, or if the outcome is
  // unknown: then tasks() shows whether the array exists.
  [[nodiscard]] virtual Status submit(const ArrayRequest& request) = 0;
  // All tasks of these arrays that the scheduler still knows. It may have dropped a task that
  // ended. Returns an Error if the scheduler does not answer.
  [[nodiscard]] virtual Result<std::vector<TaskState>> tasks(
      const std::vector<std::string>& arrays) = 0;
  [[nodiscard]] virtual Status cancel(const std::vector<std::string>& arrays) = 0;
  // `jobs` are TaskState::job.
  [[nodiscard]] virtual Status cancel_jobs(const std::vector<std::string>& jobs) = 0;
  // The sizes of all nodes.
  [[nodiscard]] virtual Result<std::vector<NodeSize>> node_sizes() = 0;
};

}  // namespace histolab::cluster
