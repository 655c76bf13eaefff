#include "grader/lab/editor_settings.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
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
constexpr const char* flags[] = {"-xc++", "-std=c++20", "-I", "-include", "histolab/cuda_shim.h",
                                 // The same flags as in
                                 // kernels/worker/compiling/compiler_command.cpp.
                                 "-fsigned-char", "-fwrapv", "-fno-exceptions", "-fno-rtti",
                                 "-Wno-everything", "-Wparentheses", "-Wempty-body",
                                 "-Wmisleading-indentation", "-Wunused-value", "-Wunused-result",
                                 "-Wuninitialized", "-Wformat"};

// Strings in JSON syntax are valid YAML.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string editor_settings(const std::string& include_dir) {
  std::vector<std::string> quoted_flags;
  for (const std::string flag : flags)
    quoted_flags.push_back(quoted(flag == "-I" ? flag + include_dir : flag));
  return fmt::format(
      "{}CompileFlags:\n"
      "  CompilationDatabase: None\n"
      "  Add: [{}]\n"
      "Diagnostics:\n"
      "  ClangTidy:\n"
      "    Remove: ['*']\n"
      "  UnusedIncludes: None\n",
      mark, fmt::join(quoted_flags, ",\n        "));
}

Result<bool> write_editor_settings(const std::string& folder, const std::string& include_dir) {
  const fs::path path = fs::path(folder) / editor_settings_name;
  for (const char* database : {"compile_flags.txt", "compile_commands.json"})
    if (is_there(fs::path(folder) / database)) return false;
  const std::string wanted = editor_settings(include_dir);
  if (is_there(path)) {
    const Result<std::string> present = read_text_file(path.string(), "settings");
    // If the file cannot be read, histolab did not write it.
    if (!present || !present->starts_with(mark) || *present == wanted) return false;
  }
  TRY(write_file(path.string(), wanted));
  return true;
}

}  // namespace histolab::grader
