// Messages between a batch and its tasks on a cluster's nodes, as plain values and as JSON.
//
//   Assignment   settings for all tasks of a batch        batch -> task
//   Chunk        submissions for one task                 batch -> task
//   Array        the chunks of an array of tasks          batch -> task
//   Part         results of a task so far                 task -> batch
//
// They have neither names nor keys of students. A submission is identified by its grading, the hash
// of everything that its result depends on (batch/journal.h). So a result counts for each student
// with that source, independent of the task that found it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/hand_in.h"
#include "grader/batch/journal.h"
#include "reference/result.h"

namespace histolab::cluster {

struct Assignment {
  std::string id;            // of this spool: 16 hexadecimal digits, part of its jobs' names
  std::string version;       // of histolab
  std::string program;       // path
  std::string program_hash;  // sha256 of the kit's files (hash_of_files)
  // sha256 of the solutions' gradings: changes with the labs, seed, rubric or device.
  std::string labs_hash;
  std::string labs_folder;
  std::vector<std::string> labs;  // names
  std::uint64_t seed = 0;
  std::string device;   // the text of --device
  std::string rubric;   // the overlay's text
  bool unsafe = false;  // grade also without a sandbox
  unsigned jobs = 1;    // processors per task

  bool operator==(const Assignment&) const = default;
};

// The work of a task on its chunk: everything, measure times on a GPU, or judge with the times that
// another task measured.
enum class Phase { whole, measure, judge };
[[nodiscard]] std::string_view name(Phase phase);

struct Item {
  std::string grading, lab;
  // The item is the lab's solution, which the node reads itself. Then `work` is empty, and the
  // grading is solution_grading().
  bool solution = false;
  batch::Work work = {};      // kernel, sheet and problem
  std::string measured = {};  // JSON of grader::Measured, or empty
};

// Differs from the grading of a student who hands in the solution: the solution's quiz counts as
// answered.
[[nodiscard]] std::string solution_grading(const std::string& grading);

struct Chunk {
  std::size_t number = 0;
  Phase phase = Phase::whole;
  int tries = 0;  // tasks that failed at it
  std::vector<Item> items;
};

struct Array {
  std::size_t number = 0;
  std::string tier, compiler;       // that a node must have; empty for any, as in the probe
  std::vector<std::size_t> chunks;  // of task 0, 1, ...
};

struct Node {
  std::string name;
  std::int64_t time = 0;                 // seconds since 1970 by the node's clock
  std::string device_kind, device_name;  // of the emulator
  std::string sandbox, compiler;         // tier; "g++ 12.2.0"
  std::string gpu_name, gpu_driver;      // empty if the task needs no GPU
  std::vector<std::string> obstacles;    // reasons why it cannot grade, each with the remedy
};

struct Found {
  std::string grading;
  batch::Outcome outcome;     // in Phase::measure only the seconds
  std::string measured = {};  // in Phase::measure
};

struct Part {
  std::string spool;  // Assignment::id
  std::size_t array = 0, index = 0;
  Node node;
  std::vector<Found> found;
  std::string failure;          // why the task gave up, or empty
  bool complete = false;        // the task's last part
  double seconds = 0;           // since the task began
  double seconds_to_begin = 0;  // from the task's begin to its first submission
};

[[nodiscard]] std::string to_json(const Assignment& assignment);
[[nodiscard]] std::string to_json(const Chunk& chunk);
[[nodiscard]] std::string to_json(const Array& array);
[[nodiscard]] std::string to_json(const Part& part);  // one line
// `file` is named in the message. Return an Error if the text is not such a message.
[[nodiscard]] Result<Assignment> assignment_from_json(std::string_view text,
                                                      const std::string& file);
[[nodiscard]] Result<Chunk> chunk_from_json(std::string_view text, const std::string& file);
[[nodiscard]] Result<Array> array_from_json(std::string_view text, const std::string& file);
[[nodiscard]] Result<Part> part_from_json(std::string_view text, const std::string& file);

}  // namespace histolab::cluster
