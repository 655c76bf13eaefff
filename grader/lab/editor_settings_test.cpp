#include "grader/lab/editor_settings.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/testing/files.h"

using namespace histolab::grader;
using namespace histolab::grader::testing;

TEST_CASE("the path of the shim is quoted for YAML") {
  const std::string text = editor_settings("/opt/a \"kit\": #1/include", {});
  CHECK(text.find("\"-I/opt/a \\\"kit\\\": #1/include\"") != std::string::npos);
  CHECK(text.find("\"histolab/cuda_shim.h\"") != std::string::npos);
  CHECK(text.find("CompilationDatabase: None") != std::string::npos);
}

TEST_CASE("a lab for a whole program has flags of its own") {
  const std::string text = editor_settings("/kit/include", {"14-whole-program", "15-more"});
  const std::size_t next = text.find("---\n");
  REQUIRE(next != std::string::npos);
  const std::string kernels = text.substr(0, next), programs = text.substr(next);
  CHECK(kernels.find("PathExclude: [\"14-whole-program.*\", \"15-more.*\"]") != std::string::npos);
  CHECK(kernels.find("histolab/cuda_shim.h") != std::string::npos);
  CHECK(programs.find("PathMatch: [\"14-whole-program.*\", \"15-more.*\"]") != std::string::npos);
  CHECK(programs.find("histolab/whole_program.h") != std::string::npos);
}

TEST_CASE("settings are written once, and again after the kit has moved") {
  const TemporaryFolder folder;
  CHECK(*write_editor_settings(folder.path(), "/kit/include", {}));
  CHECK(get(folder.at(".clangd")) == editor_settings("/kit/include", {}));
  CHECK_FALSE(*write_editor_settings(folder.path(), "/kit/include", {}));
  CHECK(*write_editor_settings(folder.path(), "/elsewhere/include", {}));
  CHECK(get(folder.at(".clangd")) == editor_settings("/elsewhere/include", {}));
}

TEST_CASE("a student's own settings are kept") {
  const TemporaryFolder folder;
  put(folder.at(".clangd"), "CompileFlags: {Add: [-Wall]}\n");
  CHECK_FALSE(*write_editor_settings(folder.path(), "/kit/include", {}));
  CHECK(get(folder.at(".clangd")) == "CompileFlags: {Add: [-Wall]}\n");
  const std::string ours = editor_settings("/kit/include", {});
  const std::string changed = ours.substr(ours.find('\n') + 1);  // without the first line
  put(folder.at(".clangd"), changed);
  CHECK_FALSE(*write_editor_settings(folder.path(), "/elsewhere/include", {}));
  CHECK(get(folder.at(".clangd")) == changed);
  std::filesystem::remove(folder.at(".clangd"));
  std::filesystem::create_symlink(folder.at("nowhere"), folder.at(".clangd"));
  CHECK_FALSE(*write_editor_settings(folder.path(), "/kit/include", {}));
  CHECK_FALSE(std::filesystem::exists(folder.at("nowhere")));
  for (const char* database : {"compile_flags.txt", "compile_commands.json"}) {
    std::filesystem::remove(folder.at(".clangd"));
    put(folder.at(database), "");
    CHECK_FALSE(*write_editor_settings(folder.path(), "/kit/include", {}));
    CHECK_FALSE(std::filesystem::exists(folder.at(".clangd")));
    std::filesystem::remove(folder.at(database));
  }
  CHECK_FALSE(write_editor_settings(folder.at("no folder"), "/kit/include", {}).ok());
}
