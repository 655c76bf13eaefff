// Slurm: the scheduler that uses Slurm's own commands sbatch, squeue, scancel, scontrol and sinfo,
// found in PATH.
//
// The formats and states are those of Slurm 21.08 and later (squeue(1), sbatch(1)). The accounting
// database (sacct) is not needed. `squeue --json` is not used: in 22.05 it ignores --name and
// --states.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/cluster/scheduler.h"

namespace histolab::cluster {

class Slurm : public Scheduler {
 public:
  // Returns an Error if one of the commands is missing.
  static Result<Slurm> find();
  [[nodiscard]] Result<Limits> limits() override;
  [[nodiscard]] Status submit(const ArrayRequest& request) override;
  [[nodiscard]] Result<std::vector<TaskState>> tasks(
      const std::vector<std::string>& arrays) override;
  [[nodiscard]] Status cancel(const std::vector<std::string>& arrays) override;
  [[nodiscard]] Status cancel_jobs(const std::vector<std::string>& jobs) override;
  [[nodiscard]] Result<std::vector<NodeSize>> node_sizes() override;

 private:
  Result<std::string> run(const std::string& command, std::vector<std::string> words) const;
  Result<std::string> squeue(const std::vector<std::string>& arrays,
                             const std::vector<std::string>& more) const;
  std::map<std::string, std::string> programs_;
};

// The rest is exposed for tests.

// One line of `squeue --format=squeue_fields --array` describes one task. Returns nullopt for other
// lines.
inline constexpr const char* squeue_fields =
    "Name:|,ArrayTaskID:|,State:|,exit_code:|,NodeList:|,Reason:|,ArrayJobID:|";
struct QueueLine {
  TaskState state;
  std::string job;  // ID of the whole array, for scancel
};
[[nodiscard]] std::optional<QueueLine> queue_line(std::string_view line);
// The command line after "sbatch".
[[nodiscard]] std::vector<std::string> sbatch_words(const ArrayRequest& request);
// Removes --exclude from the user's options and returns its nodes. They are joined with the nodes
// that the batch excludes, because sbatch obeys only the last --exclude. Returns an Error for an
// option that the batch sets itself; the message names the alternative.
[[nodiscard]] Result<std::vector<std::string>> take_excluded(std::vector<std::string>& words);
// Reads the output of `scontrol show config`.
[[nodiscard]] Limits limits_from(std::string_view config);
// Reads the output of `sinfo --format=sinfo_fields`. Skips lines in another format.
inline constexpr const char* sinfo_fields = "%P|%c|%m|%D";
[[nodiscard]] std::vector<NodeSize> node_sizes_from(std::string_view text);

}  // namespace histolab::cluster
