// What a batch and its tasks on a cluster's nodes tell each other, as plain values and as JSON.
//
//   Assignment   holds for all tasks of a batch           batch -> task
//   Chunk        works for one task                       batch -> task
//   Array        the chunks of an array of tasks          batch -> task
//   Part         what a task has found out until now      task -> batch
//
// Neither names nor keys of students are in them: a work is called by its grading
// (batch/journal.h), the hash of all that its result depends on. So a result is for whoever handed
// that in, whichever task found it out, and however often.
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
  std::string id;       // of this spool: 16 hexadecimal digits, in the names of its jobs
  std::string version;  // of histolab
  std::string program, program_hash;  // its file, and sha256 of what grades (hash_of_files)
  // Of the gradings of all solutions: other labs, seed, rubric or device, other tasks.
  std::string labs_hash;
  std::string labs_folder;
  std::vector<std::string> labs;  // names
  std::uint64_t seed = 0;
  std::string device, rubric;  // what --device said; the overlay's text
  bool unsafe = false;         // also where there is no sandbox
  unsigned jobs = 1;           // of a task

  bool operator==(const Assignment&) const = default;
};

// What a task does with its chunk: all of it; take times on a GPU; judge with times that another
// task took.
enum class Phase { whole, measure, judge };
[[nodiscard]] std::string_view name(Phase phase);

struct Item {
  std::string grading, lab;
  // The lab's own, which the node has; then there is no work, and the grading is
  // solution_grading().
  bool solution = false;
  batch::Work work = {};      // kernel, sheet and problem
  std::string measured = {};  // JSON of grader::Measured; empty: none
};

// Whoever hands in the solution has another grading: a solution's quiz counts as answered.
[[nodiscard]] std::string solution_grading(const std::string& grading);

struct Chunk {
  std::size_t number = 0;
  Phase phase = Phase::whole;
  int tries = 0;  // so often a task has failed at it
  std::vector<Item> items;
};

struct Array {
  std::size_t number = 0;
  std::string tier, compiler;  // that a node must have; empty: any, it is asked for the first time
  std::vector<std::size_t> chunks;  // of task 0, 1, ...
};

struct Node {
  std::string name;
  std::int64_t time = 0;                 // seconds since 1970, by its clock
  std::string device_kind, device_name;  // of the emulator
  std::string sandbox, compiler;         // tier; "g++ 12.2.0"
  std::string gpu_name, gpu_driver;      // empty: it was not asked for one
  std::vector<std::string> obstacles;    // why it cannot grade; each with what to do
};

struct Found {
  std::string grading;
  batch::Outcome outcome;     // of Phase::measure only the seconds
  std::string measured = {};  // of Phase::measure
};

struct Part {
  std::string spool;  // Assignment::id
  std::size_t array = 0, index = 0;
  Node node;
  std::vector<Found> found;
  std::string failure;          // why the task gave up; empty: it did not
  bool complete = false;        // the last one of its task
  double seconds = 0;           // since the task began
  double seconds_to_begin = 0;  // of those until its first work
};

[[nodiscard]] std::string to_json(const Assignment& assignment);
[[nodiscard]] std::string to_json(const Chunk& chunk);
[[nodiscard]] std::string to_json(const Array& array);
[[nodiscard]] std::string to_json(const Part& part);  // a line
// `file` is for the message. Error: it is no such JSON.
[[nodiscard]] Result<Assignment> assignment_from_json(std::string_view text,
                                                      const std::string& file);
[[nodiscard]] Result<Chunk> chunk_from_json(std::string_view text, const std::string& file);
[[nodiscard]] Result<Array> array_from_json(std::string_view text, const std::string& file);
[[nodiscard]] Result<Part> part_from_json(std::string_view text, const std::string& file);

}  // namespace histolab::cluster
