#include "grader/lab/editor_settings.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "grader/files/backup.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark =
    "# Written by `histolab start`, and again when the kit moved. Without this line it is yours.\n";

// `-I` is followed by the folder of the shim.
constexpr const char* kernel_flags[] = {"-xc++", "-std=c++20", "-I", "-include",
                                        "histolab/cuda_shim.h",
                                        // As in kernels/worker/compiling/compiler_command.cpp.
                                        "-fsigned-char", "-fwrapv", "-fno-exceptions", "-fno-rtti"};
// As CUDA, so that clang can read a launch. All other parts of CUDA are those of the shim.
constexpr const char* program_flags[] = {"-xcuda", "-std=c++20", "--cuda-host-only", "-nocudainc",
                                         "-nocudalib", "--no-cuda-version-check", "-I", "-include",
                                         "histolab/whole_program.h",
                                         // As in kernels/program/build/build_commands.cpp.
                                         "-fsigned-char", "-fwrapv"};
// As in kernels/worker/compiling/compiler_command.cpp.
constexpr const char* warnings[] = {"-Wno-everything",          "-Wparentheses",  "-Wempty-body",
                                    "-Wmisleading-indentation", "-Wunused-value", "-Wunused-result",
                                    "-Wuninitialized",          "-Wformat"};

// Strings in JSON syntax are valid YAML.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Returns a document with settings. `condition`: the files that it is for.
std::string document(const std::string& condition, std::span<const char* const> flags,
                     const std::string& include_dir, const char* suppressed) {
  std::vector<std::string> quoted_flags;
  for (const std::string flag : flags)
    quoted_flags.push_back(quoted(flag == "-I" ? flag + include_dir : flag));
  for (const char* flag : warnings) quoted_flags.push_back(quoted(flag));
  return fmt::format(
      "{}CompileFlags:\n"
      "  CompilationDatabase: None\n"
      "  Add: [{}]\n"
      "Diagnostics:\n"
      "{}"
      "  ClangTidy:\n"
      "    Remove: ['*']\n"
      "  UnusedIncludes: None\n",
      condition, fmt::join(quoted_flags, ",\n        "), suppressed);
}

}  // namespace

std::string editor_settings(const std::string& include_dir,
                            const std::vector<std::string>& programs) {
  if (programs.empty()) return mark + document("", kernel_flags, include_dir, "");
  std::vector<std::string> paths;
  for (const std::string& lab : programs) paths.push_back(quoted(lab + ".*"));
  const auto condition = [&](const char* key) {
    return fmt::format("If:\n  {}: [{}]\n", key, fmt::join(paths, ", "));
  };
  // For clang, `__global__` is not the attribute of a kernel: a kernel could not call the shim's
  // functions then.
  return mark + document(condition("PathExclude"), kernel_flags, include_dir, "") + "---\n" +
         document(condition("PathMatch"), program_flags, include_dir,
                  "  Suppress: [kern_call_not_global_function]\n");
}

Result<bool> write_editor_settings(const std::string& folder, const std::string& include_dir,
                                   const std::vector<std::string>& programs) {
  const fs::path path = fs::path(folder) / editor_settings_name;
  for (const char* database : {"compile_flags.txt", "compile_commands.json"})
    if (is_there(fs::path(folder) / database)) return false;
  const std::string wanted = editor_settings(include_dir, programs);
  if (is_there(path)) {
    const Result<std::string> present = read_text_file(path.string(), "settings");
    // If the file cannot be read, histolab did not write it.
    if (!present || !present->starts_with(mark) || *present == wanted) return false;
  }
  TRY(write_file(path.string(), wanted));
  return true;
}

}  // namespace histolab::grader
