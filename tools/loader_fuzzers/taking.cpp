#include "tools/loader_fuzzers/taking.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace histolab::fuzzing {
namespace {

namespace fs = std::filesystem;

// In memory if the machine has /dev/shm.
class Folder {
 public:
  Folder()
      : path_((fs::exists("/dev/shm") ? "/dev/shm" : "/tmp") +
              ("/histolab-loaders-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

const std::string& folder_with(std::string_view file, std::string_view bytes) {
  static const Folder folder;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    fs::remove_all(entry.path(), ignored);
  std::ofstream(fs::path(folder.path()) / file, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return folder.path();
}

const grader::LabSpec& privatization() {
  static const Result<grader::LabSpec> lab =
      grader::load_lab(HISTOLAB_SOURCE_DIR "/labs/04-privatization");
  if (!lab) std::abort();
  return *lab;
}

void same(const std::string& written, const std::string& again) {
  if (written == again) return;
  std::fprintf(stderr, "written and read differently:\n%s\n%s\n", written.c_str(), again.c_str());
  std::abort();
}

}  // namespace histolab::fuzzing
