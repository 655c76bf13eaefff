// Paths: where the labs, the worker and the CUDA shim lie, for a build tree and for an installed
// one.
#pragma once

#include <string>

namespace histolab::grader {

struct Paths {
  std::string labs;  // the folder of the labs; relative where it lies below the current directory
  std::string include_dir;  // the CUDA shim
  std::string worker;       // histolab-worker
  std::string confine;      // histolab-confine
  std::string gpu_worker;   // histolab-gpu-worker; only a build with a CUDA toolkit has it
  std::string profiles;     // the folder of what GPUs were measured to do
  std::string glossary;     // docs/glossary.md
  std::string
      measurements;        // the folder of what the lessons' kernels and others were measured to do
  std::string gdb_script;  // what `histolab debug` has gdb run
  std::string lab_template;  // the folder that `histolab new` copies
  std::string bench;         // histolab-bench, in builds that have it
  std::string calibrate;     // histolab-calibrate, in builds that have it
  std::string viewer;        // histolab-viewer, in builds that have it
  bool installed = false;    // found beside the program, not in the source tree it was built from
};

// `executable` is the program's own file. Existence is not promised: who needs a path says what is
// missing.
[[nodiscard]] Paths find_paths(const std::string& executable);
// This program's file, links resolved; empty when the system does not tell.
[[nodiscard]] std::string own_executable();

// `path` as a person in the current directory would write it.
[[nodiscard]] std::string shown(const std::string& path);

}  // namespace histolab::grader
