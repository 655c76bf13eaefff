#include "kernels/worker/compiler.h"

#include <fmt/format.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/worker/process.h"

namespace histolab::kernels::worker {
namespace {

using nlohmann::json;

constexpr const char* file_name = "kernel.cu";

// A folder that is gone when its owner is.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make() {
    const char* base = std::getenv("TMPDIR");
    std::string pattern = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/histolab-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr)
      return Error{fmt::format("cannot make a temporary folder {}: {}; set TMPDIR to a folder with room", pattern, std::strerror(errno))};
    return TemporaryFolder(pattern);
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::vector<std::string> command_line(const EmulatorPaths& paths) {
  return {paths.compiler,
          "-x", "c++", "-std=c++20", "-c", file_name, "-o", "kernel.o",
          "-include", paths.include_dir + "/histolab/cuda_shim.h", "-I", paths.include_dir,
          // What the emulator needs to see every access, and nothing else.
          "-fsanitize=thread", "--param", "tsan-instrument-func-entry-exit=0", "--param", "tsan-distinguish-volatile=1",
          "-O1", "-fno-tree-loop-im", "-fno-tree-fre", "-fno-tree-dominator-opts", "-fno-tree-dse", "-fno-tree-dce",
          // A uint4 moves as one access, not member by member; memset and memcpy stay calls, which the runtime reports.
          "-fno-tree-sra", "-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-builtin-memmove",
          // Code in the order of the source: a step back is then a loop, not a block that was moved out of the way.
          "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition",
          // A shape that the loader takes: one section per function and variable, no helper it would have to provide.
          "-fPIE", "-ftls-model=local-exec", "-fno-extern-tls-init", "-ffunction-sections", "-fdata-sections", "-fno-common",
          "-fno-asynchronous-unwind-tables", "-fno-exceptions", "-fno-rtti", "-fcf-protection=none", "-fno-stack-protector",
          "-fno-stack-clash-protection", "-U_FORTIFY_SOURCE", "-fno-gnu-unique",
          // Device semantics: char is signed, integers wrap, casts between vector types are common.
          "-fsigned-char", "-fwrapv", "-fno-strict-aliasing",
          "-g1", "-w", "-fmax-errors=20", "-fdiagnostics-format=json", "-fno-diagnostics-show-caret"};
}

int number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// The place in the student's file that a diagnostic speaks of: its own, or that of a note below it.
std::pair<int, int> place_of(const json& diagnostic, const std::string& file) {
  for (const json& location : diagnostic.value("locations", json::array())) {
    const json caret = location.value("caret", json::object());
    if (caret.value("file", "").ends_with(file)) return {number(caret, "line"), number(caret, "display-column")};
  }
  for (const json& child : diagnostic.value("children", json::array()))
    if (const auto place = place_of(child, file); place.first > 0) return place;
  return {0, 0};
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(const std::string& output, const std::string& file) {
  std::vector<Diagnostic> diagnostics;
  // One JSON array a line, among lines of the driver's own.
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    const json lines = json::parse(output.begin() + static_cast<std::ptrdiff_t>(begin), output.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    begin = end + 1;
    if (!lines.is_array()) continue;
    try {
      for (const json& item : lines) {
        const std::string kind = item.value("kind", "error");
        const bool error = kind.find("error") != std::string::npos;
        const auto [line, column] = place_of(item, file);
        if (line == 0 && !error) continue;  // about the shim, and harmless
        diagnostics.push_back({error ? Severity::error : Severity::note, line, column, item.value("message", "")});
      }
    } catch (const json::exception&) {
      continue;  // not the compiler's shape
    }
  }
  return diagnostics;
}

Result<CompilerOutput> compile_for_emulator(const std::string& text, const EmulatorPaths& paths) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  const std::string source = folder->path() + "/" + file_name;
  std::ofstream(source, std::ios::binary) << text;
  std::error_code error;
  if (std::filesystem::file_size(source, error) != text.size() || error)
    return Error{fmt::format("cannot write {}: is the disk full? Set TMPDIR to a folder with room", source)};
  ProcessSpec spec;
  spec.command = command_line(paths);
  spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + folder->path()};
  spec.directory = folder->path();
  spec.limits.wall = std::chrono::seconds(15);
  spec.limits.cpu_seconds = 10;
  spec.limits.data_bytes = 1ull << 30;
  spec.limits.output_bytes = 1 << 20;
  Result<ProcessResult> ran = run_process(spec);
  if (!ran) return ran.error();

  CompilerOutput output;
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran->end == ProcessResult::End::exited && ran->code == 127)
    return Error{fmt::format("there is no compiler `{}`; install g++ (Debian, Ubuntu: apt-get install g++)", paths.compiler)};
  output.diagnostics = parse_diagnostics(ran->errors, file_name);
  if (ran->end == ProcessResult::End::exited && ran->code == 0) {
    std::ifstream object(folder->path() + "/kernel.o", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(object)), std::istreambuf_iterator<char>());
    if (bytes.empty()) return Error{"the compiler ended without an error, but left no object file; is the disk full?"};
    auto buffer = Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    if (!buffer) return buffer.error();
    output.object = std::move(*buffer);
    return output;
  }
  output.timed_out = ran->end == ProcessResult::End::timed_out;
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  if (std::none_of(output.diagnostics.begin(), output.diagnostics.end(), is_error)) {
    // Killed by a limit, or died of the source: the source is to blame, the compiler has compiled the labs.
    const char* what = output.timed_out ? "the compiler did not come to an end in 15 seconds"
                                        : "the compiler could not take this source: it used up its memory or its time, or failed";
    output.diagnostics.push_back({Severity::error, 0, 0, what});
  }
  return output;
}

}  // namespace histolab::kernels::worker
