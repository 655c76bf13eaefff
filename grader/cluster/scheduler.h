// Scheduler: what a batch asks of the system that hands tasks to a cluster's nodes. Slurm is one
// (slurm.h); tests have another.
//
// Arrays are called by names that the batch gives them before they exist, so that nothing has to be
// remembered of a submission: after a kill the names still tell which tasks are there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::cluster {

struct ArrayRequest {
  std::string name;
  std::size_t tasks = 1;               // numbered from 0
  std::string script;                  // started once a task
  std::vector<std::string> arguments;  // of the script
  unsigned cpus = 1;                   // of a task
  unsigned minutes = 10;               // after which a task may be ended
  std::size_t mebibytes = 0;  // of memory that a task may need; 0: the scheduler's own choice
  std::string partition, account, gres;  // empty: the scheduler's own choice
  std::vector<std::string> excluded;     // nodes
  // Words of whoever runs the batch; they hold against partition, account, gres, minutes and
  // mebibytes.
  std::vector<std::string> more;
};

struct TaskState {
  enum class Kind {
    waiting,
    stuck,
    running,
    ended
  };                  // stuck: it waits for what no time brings, somebody's hand
  std::string array;  // its name
  std::string job;    // what the scheduler calls the task
  std::size_t index = 0;
  Kind kind = Kind::waiting;
  std::string word;    // the scheduler's: "PENDING", "NODE_FAIL"
  std::string node;    // empty: none yet
  std::string reason;  // why it waits; empty: nobody says
  int exit_code = 0;   // of one that ended by itself
};

struct Limits {
  std::size_t tasks_of_array = 1001;
  std::size_t jobs = 10'000;  // in the scheduler's hands at once, everybody's
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  [[nodiscard]] virtual Result<Limits> limits() = 0;
  // Error: it was not taken, or nobody knows: tasks() tells. The message is the scheduler's own.
  [[nodiscard]] virtual Status submit(const ArrayRequest& request) = 0;
  // All tasks of these arrays that the scheduler still knows; one that ended may be missing. Error:
  // it does not answer.
  [[nodiscard]] virtual Result<std::vector<TaskState>> tasks(
      const std::vector<std::string>& arrays) = 0;
  [[nodiscard]] virtual Status cancel(const std::vector<std::string>& arrays) = 0;
  [[nodiscard]] virtual Status cancel_jobs(
      const std::vector<std::string>& jobs) = 0;  // of TaskStates
};

}  // namespace histolab::cluster
