#include "kernels/worker/compiling/precompiled_shim.h"

#include <chrono>
#include <filesystem>

#include "kernels/worker/compiling/compiler_command.h"

namespace histolab::kernels::worker {
namespace {

bool went_well(const ProcessSpec& spec) {
  const Result<ProcessResult> ran = run_process(spec);
  return ran && ran->end == ProcessResult::End::exited && ran->code == 0;
}

std::optional<TemporaryFolder> precompile(const EmulatorPaths& paths) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return std::nullopt;
  Result<TemporaryFolder> made = TemporaryFolder::make(),
                          tried = TemporaryFolder::with(source_name, "\n");
  if (!made || !tried) return std::nullopt;
  std::error_code failure;
  std::filesystem::create_directory(made->path() + "/histolab", failure);
  if (failure || !went_well(precompiling(paths, made->path()))) return std::nullopt;
  // Some versions of g++ write such a file but cannot read it.
  if (!went_well(compiling(paths, "\n", tried->path(), made->path()))) return std::nullopt;
  return std::move(*made);
}

}  // namespace

PrecompiledShim::PrecompiledShim(const EmulatorPaths& paths)
    : made_(std::async(std::launch::async, [paths] { return precompile(paths); })) {}

std::string PrecompiledShim::folder() const {
  return made_.wait_for(std::chrono::seconds(0)) == std::future_status::ready ? wait()
                                                                              : std::string{};
}

std::string PrecompiledShim::wait() const {
  const std::optional<TemporaryFolder>& folder = made_.get();
  return folder && !is_dropped_ ? folder->path() : std::string{};
}

}  // namespace histolab::kernels::worker
