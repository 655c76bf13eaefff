#include "kernels/worker/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "kernels/worker/compiler_command.h"
#include "kernels/worker/compiler_words.h"
#include "kernels/worker/device_operators.h"
#include "kernels/worker/precompiled_shim.h"
#include "kernels/worker/process.h"
#include "kernels/worker/temporary_folder.h"
#include "kernels/worker/wide_accesses.h"

namespace histolab::kernels::worker {
namespace {

constexpr std::size_t most_dump_bytes = 4 << 20;

// Why the compiler was never begun; empty: it was. These are the first words of bubblewrap and histolab-confine; g++'s are a
// bracket, its own name or the file's.
std::string confinement_fault(const ProcessResult& ran) {
  const bool begun = ran.end != ProcessResult::End::exited || ran.code == 0 || !(ran.errors.starts_with("bwrap: ") || ran.errors.starts_with("histolab-confine: "));
  return begun ? std::string{} : fmt::format("the compiler's sandbox could not be made: {}; see `histolab doctor`", ran.errors.substr(0, ran.errors.find('\n')));
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

// Lets the compiler run on the source, in a folder that is there until `read` has what it wants of it.
template <class T, class Specify, class Read>
Result<T> run_compiler(const std::string& text, const EmulatorPaths& paths, const Specify& specify, const Read& read) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  const Result<TemporaryFolder> folder = TemporaryFolder::with(source_name, text);
  if (!folder) return folder.error();
  Result<ProcessResult> ran = run_process(specify(folder->path()));
  if (!ran) return ran.error();
  if (ran->end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran->end == ProcessResult::End::exited && ran->code == 127)
    return Error{fmt::format("there is no compiler `{}`; install g++ (Debian, Ubuntu: apt-get install g++)", paths.compiler)};
  if (const std::string fault = confinement_fault(*ran); !fault.empty()) return Error{fault};
  return read(*ran, folder->path());
}

// What a compilation that ran in this folder has come to.
Result<CompilerOutput> output_of(const ProcessResult& ran, const std::string& folder, const EmulatorPaths& paths) {
  CompilerOutput output;
  output.diagnostics = parse_diagnostics(ran.errors, source_name);
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  if (std::any_of(output.diagnostics.begin(), output.diagnostics.end(), is_error))  // beside an error a warning is one more sign of it
    std::erase_if(output.diagnostics, [&](const Diagnostic& d) { return !is_error(d); });
  for (Diagnostic& diagnostic : output.diagnostics)  // our folders are no business of the student's
    for (const std::string& ours : {paths.include_dir + "/", folder + "/"})
      if (const std::size_t at = diagnostic.message.find(ours); at != std::string::npos) diagnostic.message.erase(at, ours.size());
  if (ran.end == ProcessResult::End::exited && ran.code == 0) {
    std::ifstream object(folder + "/" + object_name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(object)), std::istreambuf_iterator<char>());
    if (bytes.empty()) return Error{"the compiler ended without an error, but left no object file; is the disk full? Set TMPDIR to a folder with room"};
    auto buffer = Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    if (!buffer) return buffer.error();
    output.object = std::move(*buffer);
    output.call_graph = dump_in(folder + "/" + calls_name);
    output.wide_accesses = wide_accesses(dump_in(folder + "/" + accesses_name), source_name);
    return output;
  }
  if (const std::string fault = machine_fault(ran.errors); !fault.empty())
    return Error{fmt::format("the compiler could not do its work: {}; set TMPDIR to a folder with room, or install g++ again", fault)};
  if (std::none_of(output.diagnostics.begin(), output.diagnostics.end(), is_error)) {
    // Killed by a limit, or died of the source: the source is to blame, the compiler has compiled the labs.
    const char* what = "the compiler used up its memory or its time on this source. Look for a template, a macro or an #include that "
                       "repeats itself without end";
    output.diagnostics = assembler_diagnostics(ran.errors);
    if (output.diagnostics.empty()) output.diagnostics.push_back({Severity::error, 0, 0, what});
  }
  return output;
}

// Each loop gets one of ours, and g++ takes no two.
std::string without_pragmas_of_loops(const std::string& preprocessed) {
  std::string text;
  text.reserve(preprocessed.size());
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view line = std::string_view(preprocessed).substr(begin, end - begin);
    if (!line.starts_with("#pragma GCC unroll") && !line.starts_with("#pragma GCC ivdep")) text += line;
    text += '\n';
    begin = end + 1;
  }
  return text;
}

}  // namespace

Result<std::string> preprocess_for_emulator(const std::string& text, const EmulatorPaths& paths) {
  const auto specify = [&](const std::string& folder) {
    ProcessSpec spec = preprocessing(paths, text, folder, paths.shim == nullptr ? std::string{} : paths.shim->folder());
    spec.limits.output_bytes = most_preprocessed_bytes;
    return spec;
  };
  return run_compiler<std::string>(text, paths, specify, [](ProcessResult& ran, const std::string&) { return std::move(ran.output); });
}

Result<std::string> optimize_for_registers(const std::string& text, const EmulatorPaths& paths) {
  const Result<std::string> preprocessed = preprocess_for_emulator(text, paths);
  if (!preprocessed) return preprocessed.error();
  if (preprocessed->size() >= most_preprocessed_bytes) return std::string{};
  return run_compiler<std::string>(
      without_pragmas_of_loops(*preprocessed), paths, [&](const std::string& folder) { return optimizing(paths, folder); },
      [](const ProcessResult& ran, const std::string& folder) {
        std::string dump = ran.end == ProcessResult::End::exited && ran.code == 0 ? dump_in(folder + "/" + optimized_name) : std::string{};
        return dump.size() < most_dump_bytes ? std::move(dump) : std::string{};  // else the kernel may stand in the rest
      });
}

Result<CompilerOutput> compile_for_emulator(const std::string& text, const EmulatorPaths& paths, const std::string& debugged_path) {
  bool hit_limit = false;
  const auto compile = [&](const std::string& version) {
    const auto specify = [&](const std::string& folder) {
      if (!debugged_path.empty()) return compiling_debugged(paths, version, folder, debugged_path);
      return compiling(paths, version, folder,
                       paths.shim == nullptr ? std::string{} : paths.shim->folder());
    };
    return run_compiler<CompilerOutput>(version, paths, specify,
                                        [&](const ProcessResult& ran, const std::string& folder) {
                                          hit_limit = ran.end != ProcessResult::End::exited;
                                          return output_of(ran, folder, paths);
                                        });
  };
  const std::string marked = with_device_operators(text);
  Result<CompilerOutput> output = compile(marked);
  if (marked == text || !output || hit_limit || output->diagnostics.empty()) return output;
  // Diagnostics are about the student's text and its columns. If only the original compiles, use it.
  Result<CompilerOutput> original = compile(text);
  if (!original || !original->object || !output->object) return original;
  output->diagnostics = std::move(original->diagnostics);
  return output;
}

std::string compiler_version() { return first_line_of({EmulatorPaths{}.compiler, "-dumpfullversion", "-dumpversion"}); }

}  // namespace histolab::kernels::worker
