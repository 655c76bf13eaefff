#include "kernels/worker/compiler.h"

#include <fmt/format.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels/worker/process.h"
#include "kernels/worker/wide_accesses.h"

namespace histolab::kernels::worker {
namespace {

using nlohmann::json;

constexpr const char* file_name = source_name;
// What nobody writes on purpose. All others are dropped: of correct CUDA g++ has much to say.
constexpr const char* warnings[] = {"-Wparentheses", "-Wempty-body", "-Wmisleading-indentation", "-Wunused-value", "-Wuninitialized", "-Wshadow=compatible-local", "-Wformat"};
constexpr std::size_t most_warnings = 20;
constexpr std::size_t most_dump_bytes = 4 << 20;
constexpr std::size_t most_errors = 20;  // g++'s own limit, -fmax-errors, ends it before it writes any JSON

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

// Families of functions that few kernels use: their declarations are compiled only where the text may mean one.
std::vector<std::string> families_in(const std::string& text) {
  static constexpr struct { const char* header; std::initializer_list<const char*> signs; } families[] = {
      {"simd_intrinsics.h", {"__v"}},
      {"float_intrinsics.h", {"_as_", "2float", "2double", "2int", "2uint", "2ll", "2ull", "__hiloint", "2hiint", "2loint", "_rn", "_rz", "_ru", "_rd",
                              "__saturatef", "__fdividef", "__exp", "__log", "__sin", "__cos", "__tan", "__pow"}}};
  std::vector<std::string> headers;
  for (const auto& family : families)
    if (std::any_of(family.signs.begin(), family.signs.end(), [&](const char* sign) { return text.find(sign) != std::string::npos; }))
      headers.emplace_back(family.header);
  return headers;
}

// Where it says the same as an earlier option, the last one holds.
void make_debuggable(std::vector<std::string>& command, const std::string& include_dir, const std::string& folder, const std::string& path) {
  command.insert(command.end(), {"-O0", "-g", "-DHISTOLAB_DEBUGGER", "-mfunction-return=keep", "-mindirect-branch=keep",
                                 "-finstrument-functions", "-finstrument-functions-exclude-file-list=" + include_dir,  // where a thread begins and ends
                                 fmt::format("-fdebug-prefix-map={}={}", file_name, path),
                                 fmt::format("-fdebug-prefix-map={}={}", folder, std::filesystem::path(path).parent_path().string())});
}

// `-E` or `-c`, with the same flags: a source can tell most of them.
std::vector<std::string> command_line(const EmulatorPaths& paths, const char* step, const std::string& text) {
  std::vector<std::string> command = {
          paths.compiler,
          "-x", "c++", "-std=c++20", step, file_name,
          "-include", paths.include_dir + "/histolab/cuda_shim.h", "-I", paths.include_dir,
          // What the emulator needs to see every access, and nothing else.
          "-fsanitize=thread", "--param", "tsan-instrument-func-entry-exit=0", "--param", "tsan-distinguish-volatile=1",
          "-O1", "-fno-tree-loop-im", "-fno-tree-fre", "-fno-tree-dominator-opts", "-fno-tree-dse", "-fno-tree-dce",
          "-fno-tree-sink", "-fno-tree-cselim",  // an access stays where the source has it
          // A uint4 moves as one access, not member by member; memset and memcpy stay calls, which the runtime reports.
          "-fno-tree-sra", "-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-builtin-memmove",
          // Every jump says where it goes, so that loops can be found; code stays in the order of the source.
          "-fno-jump-tables", "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition",
          // A shape that the loader takes: one section per function and variable, no helper it would have to provide.
          "-fPIE", "-ftls-model=local-exec", "-fno-extern-tls-init", "-ffunction-sections", "-fdata-sections", "-fno-common",
          "-fno-asynchronous-unwind-tables", "-fno-exceptions", "-fno-rtti", "-fcf-protection=none", "-fno-stack-protector",
          // Returns and calls through pointers go by the runtime's (guards.h); what a function has below its stack pointer, nobody keeps; and what
          // it does to memory stands where it can be proved (access_proof.h).
          "-mfunction-return=thunk-extern", "-mindirect-branch=thunk-extern", "-mindirect-branch-register", "-mno-red-zone",
          "-fno-optimize-sibling-calls", "-fno-move-loop-invariants", "-mstringop-strategy=libcall", "-Werror=vla",
          "-ffixed-r12", "-ffixed-r13", "-ffixed-r14", "-ffixed-r15",  // lane_registers.h
          "-fno-stack-clash-protection", "-U_FORTIFY_SOURCE", "-fno-gnu-unique",
          // Device semantics: char is signed, integers wrap, casts between vector types are common.
          "-fsigned-char", "-fwrapv", "-fno-strict-aliasing",
          // A local variable that is never set is the same in each thread, whoever ran before it.
          "-ftrivial-auto-var-init=pattern",
          // Memory that a kernel gets and gives back is not optimized away, and `new` may yield null.
          "-fno-builtin-malloc", "-fno-builtin-free", "-fno-allocation-dce", "-fcheck-new",
          // On a GPU too many bits are none; here they would be some.
          "-fsanitize=shift-exponent",
          "-g1", "-fdiagnostics-format=json", "-fno-diagnostics-show-caret"};
  command.insert(command.end(), std::begin(warnings), std::end(warnings));
  if (std::string_view(step) == "-c") command.insert(command.end(), {"-o", "kernel.o", "-fdump-ipa-cgraph=kernel.calls"});
  // Who is at a call of these is for the emulator to say: it then follows each lane from branch to branch.
  if (text.find("__activemask") != std::string::npos || text.find("coalesced_threads") != std::string::npos)
    command.emplace_back("-fsanitize-coverage=trace-pc");
  for (const std::string& header : families_in(text)) command.insert(command.end(), {"-include", paths.include_dir + "/histolab/" + header});
  return command;
}

// Optimized as far as concerns which elements of arrays are used, and nothing else.
std::vector<std::string> register_command_line(const EmulatorPaths& paths, const std::string& text) {
  std::vector<std::string> command = {
      paths.compiler, "-x", "c++", "-std=c++20", "-S", file_name, "-o", "kernel.s",
      "-include", paths.include_dir + "/histolab/cuda_shim.h", "-I", paths.include_dir,
      // As nvcc does it: also a loop with a call in it.
      "-Dfor=_Pragma(\"GCC unroll 64\") for", "-O3", "--param", "max-completely-peel-times=64", "--param", "max-completely-peeled-insns=4000",
      // An element stays an element: no pointers that walk over an array, no loops made into memset.
      "-fno-ivopts", "-fno-tree-loop-distribute-patterns", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-tree-loop-im", "-fno-unswitch-loops", "-fno-tree-pre",
      "-fsigned-char", "-fwrapv", "-fno-strict-aliasing", "-fno-exceptions", "-fno-rtti", "-g1", "-w", "-fdump-tree-optimized-lineno=kernel.optimized"};
  for (const std::string& header : families_in(text)) command.insert(command.end(), {"-include", paths.include_dir + "/histolab/" + header});
  return command;
}

// A template's or a name's length is the student's to choose; nobody reads more than this.
std::string shortened(std::string message) {
  constexpr std::size_t longest = 300;
  if (message.size() <= longest) return message;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xc0u) == 0x80u) --end;  // not within a character
  message.resize(end);
  return message + "...";
}

bool is_machine_fault(const std::string& message) {
  for (const char* words : {"No space left on device", "Disk quota exceeded", "Read-only file system", "Input/output error", "cannot execute", "Cannot create temporary file"})
    if (message.find(words) != std::string::npos) return true;
  return false;
}

// The assembler's words, `kernel.cu:3: Error: no such instruction`, without what it knows of this processor.
std::vector<Diagnostic> assembler_diagnostics(const std::string& output) {
  std::vector<Diagnostic> diagnostics;
  const std::string begin = std::string("\n") + file_name + ":";
  for (std::size_t at = output.find(begin); at != std::string::npos; at = output.find(begin, at + 1)) {
    const int line = std::atoi(output.c_str() + at + begin.size());
    const bool error = output.compare(output.find(' ', at), 7, " Error:") == 0;
    const bool again = !diagnostics.empty() && diagnostics.back().line == line;
    if (error && !again) diagnostics.push_back({Severity::error, line, 0, assembler_refused});
  }
  return diagnostics;
}

int number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

// What the compiler says about the machine; empty when it says nothing of the kind. Only lines that do not speak of the
// student's file count, or a source could say these words itself.
std::string machine_fault(const std::string& errors) {
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      for (const Diagnostic& d : parse_diagnostics(line, file_name))
        if (d.line == 0 && is_machine_fault(d.message)) return d.message;
    } else if (!line.starts_with(file_name) && is_machine_fault(line)) {
      return line;
    }
  }
  return {};
}

// Why the compiler was never begun; empty: it was. These are the first words of bubblewrap and histolab-confine; g++'s are a
// bracket, its own name or the file's.
std::string confinement_fault(const ProcessResult& ran) {
  const bool begun = ran.end != ProcessResult::End::exited || ran.code == 0 || !(ran.errors.starts_with("bwrap: ") || ran.errors.starts_with("histolab-confine: "));
  return begun ? std::string{} : fmt::format("the compiler's sandbox could not be made: {}; see `histolab doctor`", ran.errors.substr(0, ran.errors.find('\n')));
}

// Of an array that was cut off: the items that are all there, as an array.
std::string whole_items(std::string text) {
  std::size_t end = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
    else if (text[i] == '[' || text[i] == '{') ++depth;
    else if ((text[i] == ']' || text[i] == '}') && --depth == 1) end = i + 1;
  }
  text.resize(end);
  return (end == 0 ? "[" : std::move(text)) + "]";
}

// A folder that holds the source.
Result<TemporaryFolder> folder_with(const std::string& text) {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  const std::string source = folder->path() + "/" + file_name;
  std::ofstream(source, std::ios::binary) << text;
  std::error_code error;
  if (std::filesystem::file_size(source, error) != text.size() || error)
    return Error{fmt::format("cannot write {}: is the disk full? Set TMPDIR to a folder with room", source)};
  return folder;
}

// What the compiler wrote about a kernel, as far as it is of a reasonable length; nothing where there is no such file.
std::string dump_in(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::string dump(error ? 0 : std::min<std::uintmax_t>(bytes, most_dump_bytes), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(dump.data(), static_cast<std::streamsize>(dump.size()));
  dump.resize(static_cast<std::size_t>(file.gcount()));
  return dump;
}

ProcessSpec compiler_process(const EmulatorPaths& paths, std::vector<std::string> command, const std::string& folder) {
  ProcessSpec spec;
  spec.cancellation = paths.cancellation;
  spec.confinement = paths.confinement;
  spec.purpose = Purpose::compile;
  spec.command = std::move(command);
  spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + folder};
  spec.directory = folder;
  spec.limits.data_bytes = 1ull << 30;
  spec.limits.output_bytes = 4 << 20;
  return spec;
}

bool is_wanted_warning(const std::string& option) {
  return std::any_of(std::begin(warnings), std::end(warnings), [&](const char* each) { return option == each || option == std::string(each) + "="; });
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
  std::size_t errors = 0;
  // One JSON array a line, among lines of the driver's own.
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    json lines = json::parse(output.begin() + static_cast<std::ptrdiff_t>(begin), output.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (lines.is_discarded() && output[begin] == '[') lines = json::parse(whole_items(output.substr(begin, end - begin)), nullptr, false);
    begin = end + 1;
    if (!lines.is_array()) continue;
    try {
      for (const json& item : lines) {
        const std::string kind = item.value("kind", "error");
        const bool unended_text = item.value("message", "").starts_with("missing terminating");  // a warning that errors follow
        const bool error = kind.find("error") != std::string::npos || unended_text;
        const auto [line, column] = place_of(item, file);
        if (!error && (line == 0 || !is_wanted_warning(item.value("option", "")))) continue;  // about the shim, or harmless
        if (!error && diagnostics.size() - errors == most_warnings) continue;
        if (errors == most_errors) return diagnostics;
        errors += error ? 1 : 0;
        diagnostics.push_back({error ? Severity::error : Severity::note, line, column, shortened(item.value("message", ""))});
      }
    } catch (const json::exception&) {
      continue;  // not the compiler's shape
    }
  }
  return diagnostics;
}

Result<std::string> preprocess_for_emulator(const std::string& text, const EmulatorPaths& paths) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  Result<TemporaryFolder> folder = folder_with(text);
  if (!folder) return folder.error();
  ProcessSpec spec = compiler_process(paths, command_line(paths, "-E", text), folder->path());
  spec.limits.output_bytes = most_preprocessed_bytes;
  Result<ProcessResult> ran = run_process(spec);
  if (!ran) return ran.error();
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (const std::string fault = confinement_fault(*ran); !fault.empty()) return Error{fault};
  return std::move(ran->output);
}

Result<std::string> optimize_for_registers(const std::string& text, const EmulatorPaths& paths) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  Result<TemporaryFolder> folder = folder_with(text);
  if (!folder) return folder.error();
  Result<ProcessResult> ran = run_process(compiler_process(paths, register_command_line(paths, text), folder->path()));
  if (!ran) return ran.error();
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (const std::string fault = confinement_fault(*ran); !fault.empty()) return Error{fault};
  if (ran->end != ProcessResult::End::exited || ran->code != 0) return std::string{};
  return dump_in(folder->path() + "/kernel.optimized");
}

Result<CompilerOutput> compile_for_emulator(const std::string& text, const EmulatorPaths& paths, const std::string& debugged_path) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  Result<TemporaryFolder> folder = folder_with(text);
  if (!folder) return folder.error();
  std::vector<std::string> command = command_line(paths, "-c", text);
  const bool debugged = !debugged_path.empty();
  if (debugged) make_debuggable(command, paths.include_dir, folder->path(), debugged_path);
  command.push_back(debugged ? "-fdump-tree-tsan0-lineno=kernel.accesses" : "-fdump-tree-tsan-lineno=kernel.accesses");
  Result<ProcessResult> ran = run_process(compiler_process(paths, std::move(command), folder->path()));
  if (!ran) return ran.error();

  CompilerOutput output;
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran->end == ProcessResult::End::exited && ran->code == 127)
    return Error{fmt::format("there is no compiler `{}`; install g++ (Debian, Ubuntu: apt-get install g++)", paths.compiler)};
  if (const std::string fault = confinement_fault(*ran); !fault.empty()) return Error{fault};
  output.diagnostics = parse_diagnostics(ran->errors, file_name);
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  if (std::any_of(output.diagnostics.begin(), output.diagnostics.end(), is_error))  // beside an error a warning is one more sign of it
    std::erase_if(output.diagnostics, [&](const Diagnostic& d) { return !is_error(d); });
  for (Diagnostic& diagnostic : output.diagnostics)  // our folders are no business of the student's
    for (const std::string& ours : {paths.include_dir + "/", folder->path() + "/"})
      if (const std::size_t at = diagnostic.message.find(ours); at != std::string::npos) diagnostic.message.erase(at, ours.size());
  if (ran->end == ProcessResult::End::exited && ran->code == 0) {
    std::ifstream object(folder->path() + "/kernel.o", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(object)), std::istreambuf_iterator<char>());
    if (bytes.empty()) return Error{"the compiler ended without an error, but left no object file; is the disk full? Set TMPDIR to a folder with room"};
    auto buffer = Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    if (!buffer) return buffer.error();
    output.object = std::move(*buffer);
    output.call_graph = dump_in(folder->path() + "/kernel.calls");
    output.wide_accesses = wide_accesses(dump_in(folder->path() + "/kernel.accesses"), file_name);
    return output;
  }
  if (const std::string fault = machine_fault(ran->errors); !fault.empty())
    return Error{fmt::format("the compiler could not do its work: {}; set TMPDIR to a folder with room, or install g++ again", fault)};
  output.timed_out = ran->end == ProcessResult::End::timed_out;
  if (std::none_of(output.diagnostics.begin(), output.diagnostics.end(), is_error)) {
    // Killed by a limit, or died of the source: the source is to blame, the compiler has compiled the labs.
    const char* what = "the compiler used up its memory or its time on this source: look for a template, a macro or an #include that "
                       "repeats itself without end";
    output.diagnostics = assembler_diagnostics(ran->errors);
    if (output.diagnostics.empty()) output.diagnostics.push_back({Severity::error, 0, 0, what});
  }
  return output;
}

}  // namespace histolab::kernels::worker
