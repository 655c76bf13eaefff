#include "grader/testing/files.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace histolab::grader::testing {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "histolab-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void put(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream{path, std::ios::binary} << text;
}

std::string get(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream{path, std::ios::binary}.rdbuf();
  return text.str();
}

bool matches_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string{HISTOLAB_SOURCE_DIR} + "/grader/golden/" + name;
  if (std::getenv("HISTOLAB_UPDATE_GOLDEN") != nullptr) put(path, text);
  if (get(path) == text) return true;
  std::fprintf(stderr, "--- got, instead of %s (HISTOLAB_UPDATE_GOLDEN=1 writes it):\n%s---\n",
               path.c_str(), text.c_str());
  return false;
}

}  // namespace histolab::grader::testing
