#include "kernels/worker/compiling/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "kernels/worker/compiling/compiler_command.h"
#include "kernels/worker/compiling/compiler_words.h"
#include "kernels/worker/compiling/device_operators.h"
#include "kernels/worker/compiling/local_arrays.h"
#include "kernels/worker/compiling/precompiled_shim.h"
#include "kernels/worker/compiling/wide_accesses.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::kernels::worker {
namespace {

constexpr std::size_t most_dump_bytes = 4 << 20;

// Returns why the compiler may not have started, or an empty string. The messages of bubblewrap and
// histolab-confine begin with these words. A source may find a way to make g++ or the assembler
// print them, too.
std::string confinement_fault(const ProcessResult& ran) {
  const bool begun =
      ran.end != ProcessResult::End::exited || ran.code == 0 ||
      !(ran.errors.starts_with("bwrap: ") || ran.errors.starts_with("histolab-confine: "));
  return begun ? std::string{}
               : fmt::format("the compiler's sandbox could not be made: {}; see `histolab doctor`",
                             ran.errors.substr(0, ran.errors.find('\n')));
}

// Returns a dump that the compiler wrote, up to a maximum length. Empty if the file does not exist.
std::string dump_in(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  std::string dump(error ? 0 : std::min<std::uintmax_t>(bytes, most_dump_bytes), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(dump.data(), static_cast<std::streamsize>(dump.size()));
  dump.resize(static_cast<std::size_t>(file.gcount()));
  return dump;
}

// Sets the time of the source file, which is the value of __TIMESTAMP__.
Status fix_time_of(const std::string& path) {
  const timespec times[] = {{time_of_compilations, 0}, {time_of_compilations, 0}};
  if (utimensat(AT_FDCWD, path.c_str(), times, 0) == 0) return Done{};
  return Error{fmt::format("cannot set the time of {}: {}", path, std::strerror(errno))};
}

// Returns the Error for a failure of the machine, with advice.
Error cannot_compile(const std::string& why) {
  return Error{
      fmt::format("the compiler could not do its work: {}; set TMPDIR to a folder with room, or "
                  "install g++ again",
                  why)};
}

// The Error if a compilation ended well without an object file.
constexpr const char* left_no_object =
    "the compiler ended without an error, but left no object file; is the disk full? Set TMPDIR to "
    "a folder with room";

// Returns an Error if the folder has less room than an ordinary compilation takes.
Status has_room(const std::string& folder) {
  constexpr std::uint64_t least_bytes = 16 << 20;
  struct statvfs room {};
  if (statvfs(folder.c_str(), &room) != 0)
    return cannot_compile(fmt::format("{}: {}", folder, std::strerror(errno)));
  if (std::uint64_t{room.f_bavail} * room.f_frsize < least_bytes ||
      (room.f_files != 0 && room.f_favail == 0))
    return cannot_compile(fmt::format("{} has no room left: {}", folder, std::strerror(ENOSPC)));
  return Done{};
}

// Compiles a known good kernel, to see whether this machine can compile now. A student's source has
// no influence on the result. `precompiled` is as for compiling(). Returns an Error with the
// reason.
Status compiles_here(const EmulatorPaths& paths, const std::string& precompiled) {
  const TemporaryFolder folder =
      TRY(TemporaryFolder::with(source_name, "__global__ void k(unsigned* out) { out[0] = 1; }\n"));
  TRY(has_room(folder.path()));
  const ProcessResult ran = TRY(run_process(compiling(paths, {}, folder.path(), precompiled)));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (const std::string fault = confinement_fault(ran); !fault.empty()) return Error{fault};
  std::error_code failure;
  const bool ended_well = ran.end == ProcessResult::End::exited && ran.code == 0;
  if (ended_well && std::filesystem::file_size(folder.path() + "/" + object_name, failure) > 0 &&
      !failure)
    return Done{};
  if (ended_well) return Error{left_no_object};
  std::string complaint = machine_complaint(ran.errors);
  if (complaint.empty()) {
    complaint = "it compiles no kernel at all";
    for (const Diagnostic& each : parse_diagnostics(ran.errors, source_name))
      if (each.severity == Severity::error) {
        complaint += " (" + each.message + ")";
        break;
      }
  }
  return cannot_compile(complaint);
}

// Returns whether this machine can compile now in the same way as for the source. Drops the
// precompiled shim if only that is broken.
Status machine_compiles(const EmulatorPaths& paths, const std::string& precompiled) {
  Status with_shim = compiles_here(paths, precompiled);
  if (with_shim || precompiled.empty()) return with_shim;
  TRY(compiles_here(paths, {}));
  paths.shim->drop();
  return Done{};
}

// Returns whether the failure may be one of the machine: the messages have no position in the
// source, or they blame the machine. The source may have caused either.
bool may_be_the_machines(const ProcessResult& ran) {
  if (ran.end != ProcessResult::End::exited && ran.end != ProcessResult::End::signalled)
    return false;
  if (ran.end == ProcessResult::End::exited && ran.code == 0) return false;
  if (!machine_complaint(ran.errors).empty() || !confinement_fault(ran).empty()) return true;
  if (says_time_is_up(ran.errors)) return false;
  const auto has_place = [](const Diagnostic& each) {
    return each.severity == Severity::error && each.line > 0;
  };
  return std::ranges::none_of(parse_diagnostics(ran.errors, source_name), has_place) &&
         std::ranges::none_of(assembler_diagnostics(ran.errors), has_place);
}

// Runs the compiler on the source in a temporary folder. `read` takes the results from there.
template <class T, class Specify, class Read>
Result<T> run_once(const std::string& text, const EmulatorPaths& paths, const Specify& specify,
                   const Read& read) {
  const TemporaryFolder folder = TRY(TemporaryFolder::with(source_name, text));
  TRY(fix_time_of(folder.path() + "/" + source_name));
  const ProcessSpec spec = specify(folder.path());
  ProcessResult ran = TRY(run_process(spec));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (ran.end == ProcessResult::End::exited && ran.code == 127)
    return Error{
        fmt::format("there is no compiler `{}`; install g++ (Debian, Ubuntu: apt-get install g++)",
                    paths.compiler)};
  return read(ran, folder.path(), spec);
}

// If the failure may be one of the machine, compiles a known good kernel. If that works, the
// compiler runs on the source again, since the machine's failure may have been short. There is no
// second run if it ran out of the memory that we allow: a hostile source would cost twice the time.
template <class T, class Specify, class Read>
Result<T> run_compiler(const std::string& text, const EmulatorPaths& paths, const Specify& specify,
                       const Read& read) {
  const Unfinished folder_is_there;
  if (!folder_is_there.may_begin()) return Error{"interrupted"};
  const auto read_if_sure = [&](ProcessResult& ran, const std::string& folder,
                                const ProcessSpec& spec) -> Result<std::optional<T>> {
    if (may_be_the_machines(ran)) {
      TRY(machine_compiles(paths, spec.reads.empty() ? "" : spec.reads.front()));
      // It reached our memory limit, which takes as long each time.
      if (!says_memory_is_up(ran.errors)) return std::optional<T>{};
    }
    return std::optional<T>{TRY(Result<T>{read(ran, folder)})};
  };
  std::optional<T> first = TRY(run_once<std::optional<T>>(text, paths, specify, read_if_sure));
  if (first) return std::move(*first);
  return run_once<T>(text, paths, specify,
                     [&](ProcessResult& ran, const std::string& folder,
                         const ProcessSpec&) -> Result<T> { return read(ran, folder); });
}

void erase_all(std::string& text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

struct Compilation {
  CompilerOutput output;
  bool hit_limit = false;
};

// Collects the results of a compilation in this folder.
Result<Compilation> output_of(const ProcessResult& ran, const std::string& text,
                              const std::string& folder, const EmulatorPaths& paths) {
  Compilation compilation;
  compilation.hit_limit = ran.end != ProcessResult::End::exited;
  CompilerOutput& output = compilation.output;
  output.diagnostics = parse_diagnostics(ran.errors, source_name);
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  // Warnings that come with errors are only their consequences.
  if (std::any_of(output.diagnostics.begin(), output.diagnostics.end(), is_error))
    std::erase_if(output.diagnostics, [&](const Diagnostic& d) { return !is_error(d); });
  for (Diagnostic& diagnostic : output.diagnostics)  // hide our own folders
    for (const std::string& ours : {paths.include_dir + "/", folder + "/"})
      erase_all(diagnostic.message, ours);
  if (ran.end == ProcessResult::End::exited && ran.code == 0) {
    std::ifstream object(folder + "/" + object_name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(object)),
                            std::istreambuf_iterator<char>());
    if (bytes.empty()) return Error{left_no_object};
    output.object =
        TRY(Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
    output.call_graph = dump_in(folder + "/" + calls_name);
    const std::string accesses = dump_in(folder + "/" + accesses_name);
    output.wide_accesses = wide_accesses(accesses, source_name);
    output.indexes_arrays = !indexed_arrays(accesses, source_name).empty();
    return compilation;
  }
  if (std::any_of(output.diagnostics.begin(), output.diagnostics.end(), is_error))
    return compilation;
  // A limit killed it, or the source crashed it. The source is to blame: this compiler compiles the
  // labs.
  output.diagnostics = assembler_diagnostics(ran.errors);
  if (output.diagnostics.empty()) output.diagnostics.push_back(describe_compiler_death(ran, text));
  return compilation;
}

// Removes these pragmas: each loop gets one of ours, and g++ does not accept two.
std::string without_pragmas_of_loops(const std::string& preprocessed) {
  std::string text;
  text.reserve(preprocessed.size());
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view line = std::string_view(preprocessed).substr(begin, end - begin);
    if (!line.starts_with("#pragma GCC unroll") && !line.starts_with("#pragma GCC ivdep"))
      text += line;
    text += '\n';
    begin = end + 1;
  }
  return text;
}

}  // namespace

Result<Preprocessed> preprocess_for_emulator(const std::string& text, const EmulatorPaths& paths) {
  const auto specify = [&](const std::string& folder) {
    ProcessSpec spec = preprocessing(paths, text, folder,
                                     paths.shim == nullptr ? std::string{} : paths.shim->folder());
    spec.limits.output_bytes = most_preprocessed_bytes;
    return spec;
  };
  return run_compiler<Preprocessed>(
      text, paths, specify, [](ProcessResult& ran, const std::string&) {
        return Preprocessed{std::move(ran.output),
                            ran.end == ProcessResult::End::exited && ran.code == 0};
      });
}

Result<std::string> optimize_for_registers(const std::string& text, const EmulatorPaths& paths) {
  const Preprocessed preprocessed = TRY(preprocess_for_emulator(text, paths));
  if (preprocessed.text.size() >= most_preprocessed_bytes) return std::string{};
  return run_compiler<std::string>(
      without_pragmas_of_loops(preprocessed.text), paths,
      [&](const std::string& folder) { return optimizing(paths, folder); },
      [](const ProcessResult& ran, const std::string& folder) {
        std::string dump = ran.end == ProcessResult::End::exited && ran.code == 0
                               ? dump_in(folder + "/" + optimized_name)
                               : std::string{};
        return dump.size() < most_dump_bytes
                   ? std::move(dump)
                   : std::string{};  // the kernel may be in the missing part
      });
}

Result<CompilerOutput> compile_for_emulator(const std::string& text, const EmulatorPaths& paths,
                                            const std::string& debugged_path) {
  const auto compile = [&](const std::string& version) {
    const auto specify = [&](const std::string& folder) {
      if (!debugged_path.empty()) return compiling_debugged(paths, version, folder, debugged_path);
      return compiling(paths, version, folder,
                       paths.shim == nullptr ? std::string{} : paths.shim->folder());
    };
    return run_compiler<Compilation>(version, paths, specify,
                                     [&](const ProcessResult& ran, const std::string& folder) {
                                       return output_of(ran, version, folder, paths);
                                     });
  };
  const std::string marked = with_device_operators(text);
  Compilation compiled = TRY(compile(marked));
  CompilerOutput& output = compiled.output;
  if (marked == text || compiled.hit_limit || output.diagnostics.empty()) return std::move(output);
  // Diagnostics must refer to the student's text and its columns. If only the original compiles,
  // use it.
  Compilation original = TRY(compile(text));
  if (!original.output.object || !output.object) return std::move(original.output);
  output.diagnostics = std::move(original.output.diagnostics);
  return std::move(output);
}

Result<bool> is_integer_variable(const std::string& text, const std::string& name,
                                 const EmulatorPaths& paths) {
  const std::string asked = fmt::format(
      "{0}\n#undef {1}\nstatic_assert(__is_same(decltype(::{1} + 0u), unsigned int) && sizeof "
      "::{1} == 4);\n",
      text, name);
  return run_compiler<bool>(
      asked, paths,
      [&](const std::string& folder) {
        return checking_syntax(paths, asked, folder,
                               paths.shim == nullptr ? std::string{} : paths.shim->folder());
      },
      [](const ProcessResult& ran, const std::string&) {
        return ran.end == ProcessResult::End::exited && ran.code == 0;
      });
}

std::string compiler_version() {
  return first_line_of({EmulatorPaths{}.compiler, "-dumpfullversion", "-dumpversion"});
}

}  // namespace histolab::kernels::worker
