// Builds a whole CUDA program: sources and options in, an executable and diagnostics out.
//
// Each CUDA source is compiled twice, once for the host and once for the emulator. The host object
// carries the device object (device_section.h). One link makes the executable. Compilers run as
// confined children with limits: sources are not trusted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/worker/compiling/compiler_words.h"
#include "kernels/worker/compiling/emulator_paths.h"
#include "kernels/worker/processes/temporary_folder.h"
#include "reference/result.h"

namespace histolab::kernels::program {

enum class Language { by_suffix, cuda, cpp, c };

struct Build {
  // CUDA sources (.cu), C and C++ sources without kernels, objects, archives, and libraries (-lm).
  std::vector<std::string> sources;
  Language language = Language::by_suffix;  // of the sources
  std::vector<std::string> include_dirs;
  // More folders from which the sources may include files, for paths such as "../common/book.h".
  // The folders of the sources and of include_dirs are readable anyway.
  std::vector<std::string> readable = {};
  std::vector<std::string> defines = {};  // NAME or NAME=VALUE
  std::string standard = "c++17";         // c++11 and later
  std::vector<std::string> options = {};  // more options of g++ for host code and the link
  bool debugged = false;                  // compiles kernels for a debugger: nothing is optimized
  std::vector<std::string> words = {};    // the same for all compilations: -U, -include
  std::vector<std::string> link_words = {}, library_dirs = {};
  // Device code may call device functions of other files, as with nvcc's -rdc=true.
  bool relocatable = false;
  // Path of histolab, which runs the program if it is started by hand. If empty, it says how.
  std::string starter = {};
  // Options that make a compilation list the files that it reads: -MMD -MT NAME. May be empty.
  std::vector<std::string> dependencies = {};
};

struct Built {
  // Files have the names by which the build names them: `src/prog.cu` for the source `src/prog.cu`.
  // In the order of sources and lines; at least one error if `executable` is empty.
  std::vector<worker::FileDiagnostic> diagnostics;
  std::string executable;          // path; empty if the program does not compile or link
  std::vector<std::string> files;  // of compile_sources(), one per source; empty if that fails
  std::vector<std::string> dependencies;                  // likewise, if the build lists them
  std::shared_ptr<const worker::TemporaryFolder> folder;  // contains all of these files
};

// The file that compile_sources() makes of each source: an object for a later link, the text after
// the preprocessor, or (`dependencies` has -M or -MM) the list of the files that it reads.
enum class Step { object, preprocessed, dependencies };

// Returns the outermost folder or file on the way to `path` that only its owner may enter or read.
// Returns "" if everyone may, or if confined processes run as this user: root's do not.
[[nodiscard]] std::string closed_folder(const std::string& path, const EmulatorPaths& paths);

// `runtime_library` is the path of libhistolab_cudart.a. Returns an Error if a source cannot be
// read, or if the machine cannot compile.
[[nodiscard]] Result<Built> build_program(const Build& build, const EmulatorPaths& paths,
                                          const std::string& runtime_library);

// Compiles sources and does not link. Returns an Error as build_program() does.
[[nodiscard]] Result<Built> compile_sources(const Build& build, const EmulatorPaths& paths,
                                            Step step = Step::object);

}  // namespace histolab::kernels::program
