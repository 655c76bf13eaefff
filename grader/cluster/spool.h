// Spool: OUT/slurm, the folder on a shared file system through which a batch and its tasks exchange
// messages.
//
//   spool.json       the Assignment
//   probe.json       the Parts of the probe, one per line, after it succeeded
//   task.sh          the script that Slurm runs: task.sh ARRAY
//   chunks/N.json    a Chunk
//   arrays/N.json    an Array
//   results/*.json   Parts
//   logs/N-I.log     standard error of task I of array N
//   cancelled        the mark of --cancel
//
// Each file appears whole or not at all (grader/files/write_file.h: temporary file, fsync, rename),
// and only probe.json is ever changed. There is no database, because SQLite's locks are unreliable
// on many network file systems. Tasks read everything, but write only parts and logs. Only the
// owner may read the folder (0700): it has the class's submissions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/cluster/messages.h"
#include "reference/result.h"

namespace histolab::cluster {

// Exit codes of task.sh if a task cannot start. probe.cpp has their messages.
inline constexpr int no_spool = 91, spool_not_writable = 92, no_program = 93;
// Slurm restarted the task too often, after node failures or preemptions.
inline constexpr int started_too_often = 94;

class Spool {
 public:
  explicit Spool(std::string folder) : folder_(std::move(folder)) {}
  [[nodiscard]] static std::string folder_in(const std::string& out) { return out + "/slurm"; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

  // Returns true also if the file system does not answer.
  [[nodiscard]] bool exists() const;
  // Whether the spool was removed: it is missing, but its parent folder exists.
  [[nodiscard]] bool is_gone() const;
  // Creates the spool, with a new id. Returns an Error if it exists or cannot be created.
  Result<Assignment> make(Assignment assignment);
  [[nodiscard]] Result<Assignment> assignment() const;
  // Removes the spool. Leaves files that it cannot remove, because a task may be writing there.
  void remove() const;

  [[nodiscard]] std::string job_name(const Assignment& assignment, std::size_t array) const;
  [[nodiscard]] std::string script() const { return folder_ + "/task.sh"; }

  [[nodiscard]] Status put(const Chunk& chunk) const;
  [[nodiscard]] Result<Chunk> chunk(std::size_t number) const;
  [[nodiscard]] Status put(const Array& array) const;
  [[nodiscard]] Result<Array> array(std::size_t number) const;
  // The numbers, ascending. Return an Error if the folder cannot be read.
  [[nodiscard]] Result<std::vector<std::size_t>> chunks() const;
  [[nodiscard]] Result<std::vector<std::size_t>> arrays() const;

  // Writes a part under a unique name.
  [[nodiscard]] Status put(const Part& part, const std::string& unique) const;
  // The paths of all parts.
  [[nodiscard]] Result<std::vector<std::string>> parts() const;
  // All readable parts that belong to the spool `id`.
  [[nodiscard]] std::vector<Part> readable_parts(const std::string& id) const;

  [[nodiscard]] Status put_probe(const std::vector<Part>& parts) const;
  // Returns nullopt before put_probe().
  [[nodiscard]] Result<std::optional<std::vector<Part>>> probe() const;

  [[nodiscard]] Status cancel() const;  // writes the mark; for any thread
  void remove_chunk(std::size_t number) const;
  [[nodiscard]] bool is_cancelled() const;
  [[nodiscard]] Status take_cancel_back() const;

  // The last line of the task's log, or an empty text.
  [[nodiscard]] std::string last_log_line(std::size_t array, std::size_t index) const;

 private:
  [[nodiscard]] std::string at(const char* kind, std::size_t number) const;
  std::string folder_;
};

}  // namespace histolab::cluster
