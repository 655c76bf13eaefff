#include "grader/files/paths.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/testing/files.h"

using namespace histolab::grader;
using namespace histolab::grader::testing;

TEST_CASE("an installed program finds its data even if it was moved") {
  const TemporaryFolder prefix;
  put(prefix.at("share/histolab/labs/02-sample/lab.json"), "{}");
  const Paths paths = find_paths(prefix.at("bin/histolab"));
  CHECK(paths.installed);
  CHECK(paths.labs == prefix.at("share/histolab/labs"));
  CHECK(paths.include_dir == prefix.at("share/histolab/include"));
  CHECK(paths.profiles == prefix.at("share/histolab/profiles"));
  CHECK(paths.measurements == prefix.at("share/histolab/docs/measurements"));
  CHECK(paths.glossary == prefix.at("share/histolab/docs/glossary.md"));
  CHECK(paths.worker == prefix.at("libexec/histolab/histolab-worker"));
  CHECK(paths.viewer == prefix.at("libexec/histolab/histolab-viewer"));
}

TEST_CASE("a built program finds the source tree, and its worker in its own folder") {
  const TemporaryFolder build;
  const Paths paths = find_paths(build.at("bin/histolab"));
  CHECK_FALSE(paths.installed);
  CHECK(std::filesystem::equivalent(paths.labs, std::string{HISTOLAB_SOURCE_DIR} + "/labs"));
  CHECK(std::filesystem::exists(paths.profiles + "/h200.json"));
  CHECK(std::filesystem::exists(paths.measurements + "/h200-lessons.json"));
  CHECK(paths.worker == build.at("bin/histolab-worker"));
  CHECK(paths.viewer == build.at("bin/histolab-viewer"));
}

TEST_CASE("a path below the current directory is shown relative to it") {
  const std::string here = std::filesystem::current_path().string();
  CHECK(shown(here + "/labs") == "labs");
  CHECK(shown("/etc/services") == "/etc/services");
  CHECK(shown("relative/file") == "relative/file");
  CHECK(std::filesystem::exists(own_executable()));
}
