// Paths: the folders and programs that histolab needs, in a build tree or in an installation.
#pragma once

#include <string>

namespace histolab::grader {

struct Paths {
  std::string labs;             // folder of the labs; relative if below the current directory
  std::string include_dir;      // the CUDA shim
  std::string worker;           // histolab-worker
  std::string confine;          // histolab-confine
  std::string front;            // histolab-front
  std::string runtime_library;  // libhistolab_cudart.a, which `histolab exec` links
  std::string program;          // this program, which programs of `histolab nvcc` start
  std::string toolkit;          // folder in the form of a CUDA toolkit: bin, include, lib64
  std::string gpu_worker;       // histolab-gpu-worker; only in builds with a CUDA toolkit
  std::string profiles;         // folder of the measured GPU profiles
  std::string glossary;         // docs/glossary.md
  std::string measurements;     // folder of the measured times of the lessons' and other kernels
  std::string gdb_script;       // the script that gdb runs for `histolab debug`
  std::string lab_template;     // the folder that `histolab new` copies
  std::string bench;            // histolab-bench, in builds that have it
  std::string calibrate;        // histolab-calibrate, in builds that have it
  std::string viewer;           // histolab-viewer, in builds that have it
  bool installed = false;       // paths are those of an installation, not of a source tree
};

// `executable` is the program's own file. The paths may not exist: the code that uses one reports
// it if it is missing.
[[nodiscard]] Paths find_paths(const std::string& executable);
// This program's file, with links resolved. Empty if /proc cannot be read.
[[nodiscard]] std::string own_executable();

// `path` relative to the current directory if it is below it, otherwise unchanged.
[[nodiscard]] std::string shown(const std::string& path);

}  // namespace histolab::grader
