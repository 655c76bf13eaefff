// Slurm, by its own commands: sbatch, squeue, scancel and scontrol, as they are found in PATH.
//
// Formats and states are those of Slurm 21.08 and later (squeue(1), sbatch(1)); the accounting database (sacct) is not needed.
// `squeue --json` is not used: 22.05's ignores --name and --states.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/cluster/scheduler.h"

namespace histolab::cluster {

class Slurm : public Scheduler {
 public:
  // Error: one of the commands is not there.
  static Result<Slurm> find();
  [[nodiscard]] Result<Limits> limits() override;
  [[nodiscard]] Status submit(const ArrayRequest& request) override;
  [[nodiscard]] Result<std::vector<TaskState>> tasks(const std::vector<std::string>& arrays) override;
  [[nodiscard]] Status cancel(const std::vector<std::string>& arrays) override;

 private:
  Result<std::string> run(const std::string& command, std::vector<std::string> words) const;
  std::map<std::string, std::string> programs_;
};

// Of `squeue --format=squeue_fields --array`: a line a task. Exposed for its tests. nullopt: the line is none of a task.
inline constexpr const char* squeue_fields = "Name:|,ArrayTaskID:|,State:|,exit_code:|,NodeList:|,Reason:|,ArrayJobID:|";
struct QueueLine {
  TaskState state;
  std::string job;  // what scancel takes
};
[[nodiscard]] std::optional<QueueLine> queue_line(std::string_view line);
// Of `scontrol show config`.
[[nodiscard]] Limits limits_from(std::string_view config);

}  // namespace histolab::cluster
