#include "grader/files/paths.h"

#include <filesystem>

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

std::string own_executable() {
  std::error_code failure;
  const fs::path path = fs::read_symlink("/proc/self/exe", failure);
  return failure ? std::string{} : path.string();
}

std::string shown(const std::string& path) {
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  if (failure) return path;
  const fs::path relative = fs::path(path).lexically_proximate(here);
  return relative.empty() || relative.is_absolute() || *relative.begin() == ".."
             ? path
             : relative.string();
}

Paths find_paths(const std::string& executable) {
  const fs::path bin = fs::path(executable).parent_path();
  const fs::path share = (bin / ".." / "share" / "histolab").lexically_normal();
  Paths paths;
  paths.program = executable;
  // An installed program uses its own data, even on the machine on which it was built.
  paths.installed = is_there(share / "labs");
  if (paths.installed) {
    paths.labs = shown((share / "labs").string());
    paths.include_dir = (share / "include").string();
    paths.profiles = (share / "profiles").string();
    paths.gdb_script = (share / "gdb" / "histolab.py").string();
    paths.lab_template = (share / "template").string();
    paths.glossary = (share / "docs" / "glossary.md").string();
    paths.measurements = (share / "docs" / "measurements").string();
    paths.worker =
        (bin / ".." / "libexec" / "histolab" / "histolab-worker").lexically_normal().string();
    paths.confine =
        (bin / ".." / "libexec" / "histolab" / "histolab-confine").lexically_normal().string();
    paths.runtime_library =
        (bin / ".." / "libexec" / "histolab" / "libhistolab_cudart.a").lexically_normal().string();
    paths.toolkit = (bin / ".." / "libexec" / "histolab" / "toolkit").lexically_normal().string();
    paths.gpu_worker =
        (bin / ".." / "libexec" / "histolab" / "histolab-gpu-worker").lexically_normal().string();
  } else {
    const fs::path source = HISTOLAB_SOURCE_DIR;
    paths.labs = shown((source / "labs").string());
    paths.include_dir = (source / "kernels" / "emulator" / "include").string();
    paths.profiles = (source / "profiles").string();
    paths.gdb_script = (source / "grader" / "gdb" / "histolab.py").string();
    paths.lab_template = (source / "grader" / "template").string();
    paths.glossary = (source / "docs" / "glossary.md").string();
    paths.measurements = (source / "docs" / "measurements").string();
    paths.worker = (bin / "histolab-worker").string();
    paths.confine = (bin / "histolab-confine").string();
    paths.runtime_library =
        (bin / ".." / "lib" / "libhistolab_cudart.a").lexically_normal().string();
    paths.toolkit = (bin / ".." / "toolkit").lexically_normal().string();
    paths.gpu_worker = (bin / "histolab-gpu-worker").string();
  }
  paths.front = (fs::path(paths.worker).parent_path() / "histolab-front").string();
  paths.bench = (fs::path(paths.worker).parent_path() / "histolab-bench").string();
  paths.calibrate = (fs::path(paths.worker).parent_path() / "histolab-calibrate").string();
  paths.viewer = (fs::path(paths.worker).parent_path() / "histolab-viewer").string();
  return paths;
}

}  // namespace histolab::grader
