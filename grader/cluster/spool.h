// Spool: OUT/slurm, the folder on a shared file system through which a batch and its tasks talk.
//
//   spool.json       the Assignment
//   probe.json       the Parts of the first task, one a line, once the cluster has been found able
//   to grade task.sh          what Slurm starts: TASK_SCRIPT SPOOL ARRAY chunks/N.json
//   arrays/N.json results/*.json   parts logs/N-I.log     what a task wrote to its standard error
//   cancelled        written by --cancel
//
// Each file is there whole or not at all (grader/files/write_file.h: temporary file, fsync,
// rename), and none is ever changed but probe.json. No database: SQLite's locks are worth nothing
// on many network file systems. Tasks read all of it, and write only parts and logs. The folder is
// the batch's own (0700): it holds what the class handed in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/cluster/messages.h"
#include "reference/result.h"

namespace histolab::cluster {

// How task.sh ends where a task cannot even begin; what each says is in probe.cpp.
inline constexpr int no_spool = 91, spool_not_writable = 92, no_program = 93;
inline constexpr int started_too_often =
    94;  // by Slurm itself, after a node failed or another job took its place

class Spool {
 public:
  explicit Spool(std::string folder) : folder_(std::move(folder)) {}
  [[nodiscard]] static std::string folder_in(const std::string& out) { return out + "/slurm"; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

  // Or may be: a folder that does not answer is not taken for one that is not there.
  [[nodiscard]] bool exists() const;
  // It is not there, and the folder around it is: it was removed, and is not merely out of sight.
  [[nodiscard]] bool is_gone() const;
  // Makes it, with a new id. Error: it cannot be made, or is there.
  Result<Assignment> make(Assignment assignment);
  [[nodiscard]] Result<Assignment> assignment() const;
  // All of it goes. What cannot be removed stays without a word: a task may just be writing there.
  void remove() const;

  [[nodiscard]] std::string job_name(const Assignment& assignment, std::size_t array) const;
  [[nodiscard]] std::string script() const { return folder_ + "/task.sh"; }

  [[nodiscard]] Status put(const Chunk& chunk) const;
  [[nodiscard]] Result<Chunk> chunk(std::size_t number) const;
  [[nodiscard]] Status put(const Array& array) const;
  [[nodiscard]] Result<Array> array(std::size_t number) const;
  // Ascending. Error: the folder cannot be read.
  [[nodiscard]] Result<std::vector<std::size_t>> chunks() const;
  [[nodiscard]] Result<std::vector<std::size_t>> arrays() const;

  // A part under a name that no other has.
  [[nodiscard]] Status put(const Part& part, const std::string& unique) const;
  // The paths of those that are there.
  [[nodiscard]] Result<std::vector<std::string>> parts() const;
  // All that can be read of those of the spool that is called `id`.
  [[nodiscard]] std::vector<Part> readable_parts(const std::string& id) const;

  [[nodiscard]] Status put_probe(const std::vector<Part>& parts) const;
  [[nodiscard]] Result<std::optional<std::vector<Part>>> probe()
      const;  // nullopt: there is none yet

  [[nodiscard]] Status cancel() const;  // writes the mark; from any thread
  void remove_chunk(std::size_t number) const;
  [[nodiscard]] bool is_cancelled() const;
  [[nodiscard]] Status take_cancel_back() const;

  // The newest line of what the task wrote; empty: nothing.
  [[nodiscard]] std::string last_words(std::size_t array, std::size_t index) const;

 private:
  [[nodiscard]] std::string at(const char* kind, std::size_t number) const;
  std::string folder_;
};

}  // namespace histolab::cluster
