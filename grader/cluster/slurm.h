// Slurm, by its own commands: sbatch, squeue, scancel and scontrol, as they are found in PATH.
//
// Formats and states are those of Slurm 21.08 and later (squeue(1), sbatch(1)); the accounting
// database (sacct) is not needed. `squeue --json` is not used: 22.05's ignores --name and --states.
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
  [[nodiscard]] Result<std::vector<TaskState>> tasks(
      const std::vector<std::string>& arrays) override;
  [[nodiscard]] Status cancel(const std::vector<std::string>& arrays) override;
  [[nodiscard]] Status cancel_jobs(const std::vector<std::string>& jobs) override;

 private:
  Result<std::string> run(const std::string& command, std::vector<std::string> words) const;
  Result<std::string> squeue(const std::vector<std::string>& arrays,
                             const std::vector<std::string>& more) const;
  std::map<std::string, std::string> programs_;
};

// Of `squeue --format=squeue_fields --array`: a line a task. Exposed for its tests. nullopt: the
// line is none of a task.
inline constexpr const char* squeue_fields =
    "Name:|,ArrayTaskID:|,State:|,exit_code:|,NodeList:|,Reason:|,ArrayJobID:|";
struct QueueLine {
  TaskState state;
  std::string job;  // of the whole array; scancel takes it
};
[[nodiscard]] std::optional<QueueLine> queue_line(std::string_view line);
// The words after "sbatch". Exposed for its tests, too.
[[nodiscard]] std::vector<std::string> sbatch_words(const ArrayRequest& request);
// Takes the nodes of --exclude out of somebody's words for sbatch, so that they can be said
// together with ours: the last --exclude wins. Error: a word is an option that a batch says itself,
// and what to use instead.
[[nodiscard]] Result<std::vector<std::string>> take_excluded(std::vector<std::string>& words);
// Of `scontrol show config`.
[[nodiscard]] Limits limits_from(std::string_view config);

}  // namespace histolab::cluster
