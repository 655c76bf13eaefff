#include "kernels/program/build/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "kernels/program/build/build_commands.h"
#include "kernels/program/build/build_messages.h"
#include "kernels/program/device_section.h"
#include "kernels/program/syntax/pass_text.h"
#include "kernels/worker/compiling/device_operators.h"
#include "kernels/worker/processes/process.h"
#include "reference/parallel.h"

namespace histolab::kernels::program {
namespace {

namespace fs = std::filesystem;
using worker::FileDiagnostic;
using worker::ProcessResult;
using worker::ProcessSpec;
using worker::TemporaryFolder;

// One compilation of one source, in a folder of its own.
struct Job {
  std::string source;        // absolute path
  std::optional<Pass> pass;  // nullopt for a C or C++ source
  bool is_c = false;
  std::optional<TemporaryFolder> folder;
  std::vector<FileDiagnostic> diagnostics;
  bool asks_for_active_lanes = false;  // of the warp
  bool ok = false;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Status write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return Done{};
  return Error{
      fmt::format("cannot write {}: is the disk full? Set TMPDIR to a folder with room", path)};
}

bool went_well(const ProcessResult& ran) {
  return ran.end == ProcessResult::End::exited && ran.code == 0;
}

bool has_error(const std::vector<FileDiagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const FileDiagnostic& each) {
    return each.diagnostic.severity == Severity::error;
  });
}

// Runs a compiler's command for a job. Appends its diagnostics, and one of our own if it failed
// without any.
Result<bool> run_for(Job& job, const BuildSettings& settings, const ProcessSpec& spec,
                     const PassText* text) {
  const ProcessResult ran = TRY(worker::run_process(spec));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  std::ranges::move(compiler_diagnostics(settings, ran.errors, text),
                    std::back_inserter(job.diagnostics));
  if (went_well(ran)) return true;
  if (has_error(job.diagnostics)) return false;
  if (const std::string complaint = worker::machine_complaint(ran.errors); !complaint.empty())
    return Error{
        fmt::format("the compiler could not do its work: {}; set TMPDIR to a folder with "
                    "room, or install g++ again",
                    complaint)};
  for (Diagnostic& each : worker::assembler_diagnostics(ran.errors)) {
    each.line = 0;  // lines are those of the pass's text
    job.diagnostics.push_back({job.source, std::move(each)});
  }
  if (!has_error(job.diagnostics))
    job.diagnostics.push_back({job.source, worker::describe_compiler_death(ran, {})});
  return false;
}

// Marks operators that g++ compiles differently from nvcc (device_operators.h).
std::string with_marked_device_code(const std::string& preprocessed) {
  std::string marked;
  std::size_t from = 0;
  for (const TextRange& body : device_bodies(preprocessed)) {
    marked.append(preprocessed, from, body.begin - from);
    marked += worker::with_device_operators(preprocessed.substr(body.begin, body.end - body.begin));
    from = body.end;
  }
  return marked.append(preprocessed, from);
}

// The emulator decides which lanes are at such a call. For that it follows each lane per branch.
bool asks_for_active_lanes(const std::string& preprocessed) {
  constexpr const char* of_the_header = "coalesced_group(__activemask())";  // cooperative_groups.h
  return std::ranges::any_of(device_bodies(preprocessed), [&](const TextRange& range) {
    const auto body = std::string_view(preprocessed).substr(range.begin, range.end - range.begin);
    const auto has = [&](const char* words) { return body.find(words) != body.npos; };
    return has("coalesced_threads") || (has("__activemask") && !has(of_the_header));
  });
}

ProcessSpec compilation(const Job& job, const BuildSettings& settings) {
  ProcessSpec spec = compile_pass(settings, *job.pass, job.folder->path());
  if (job.asks_for_active_lanes) spec.command.emplace_back("-fsanitize-coverage=trace-pc");
  return spec;
}

// Compiles the text of a device pass with marks. Returns false, without diagnostics, if that fails:
// diagnostics must refer to the text without marks.
Result<bool> compiles_marked(Job& job, const BuildSettings& settings, const std::string& marked) {
  const PassText text = text_for(Pass::device, marked);
  if (!text.problems.empty()) return false;
  TRY(write_file(job.folder->path() + "/" + text_name, text.text));
  const ProcessResult ran = TRY(worker::run_process(compilation(job, settings)));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (!went_well(ran)) return false;
  std::ranges::move(compiler_diagnostics(settings, ran.errors, &text),
                    std::back_inserter(job.diagnostics));
  return true;
}

constexpr const char* relocatable_mark = "histolab_relocatable_device_code";

// Text for the end of the host pass: the path that the program's library looks for, and a mark for
// the link.
std::string text_of_marks(const Build& build) {
  std::string text;
  if (!build.starter.empty()) {
    text += "\nextern \"C\" { __attribute__((weak)) extern const char histolab_starter[] = \"";
    for (const char c : build.starter) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"; }";
  }
  if (build.relocatable)
    text += fmt::format("\nextern \"C\" {{ __attribute__((weak)) extern const char {} = 1; }}",
                        relocatable_mark);
  return text.empty() ? text : text + "\n";
}

Status run_job(Job& job, const BuildSettings& settings, const std::string& marks, Step step) {
  job.folder.emplace(TRY(TemporaryFolder::make()));
  const std::string& folder = job.folder->path();
  if (!job.pass) {
    job.ok = TRY(run_for(job, settings,
                         compile_host_source(settings, job.is_c, step == Step::object ? "-c" : "-E",
                                             job.source, folder),
                         nullptr));
    return Done{};
  }
  if (!TRY(run_for(job, settings, preprocess_pass(settings, *job.pass, job.source, folder),
                   nullptr)))
    return Done{};
  if (step != Step::object) {
    job.ok = true;
    return Done{};
  }
  const std::string preprocessed = read_file(folder + "/" + preprocessed_name);
  std::ranges::move(foreign_headers(settings, preprocessed), std::back_inserter(job.diagnostics));
  if (has_error(job.diagnostics)) return Done{};
  if (*job.pass == Pass::device) {
    job.asks_for_active_lanes = asks_for_active_lanes(preprocessed);
    const std::string marked = with_marked_device_code(preprocessed);
    job.ok = marked != preprocessed && TRY(compiles_marked(job, settings, marked));
    if (job.ok) return Done{};
  }
  PassText text = text_for(*job.pass, preprocessed);
  for (const SyntaxProblem& problem : text.problems)
    job.diagnostics.push_back({problem.file, {Severity::error, problem.line, 0, problem.message}});
  if (!text.problems.empty()) return Done{};
  if (*job.pass == Pass::host) text.text += marks;
  TRY(write_file(folder + "/" + text_name, text.text));
  job.ok = TRY(run_for(job, settings, compilation(job, settings), &text));
  return Done{};
}

// Runs all jobs, as many at once as the machine has processors. Returns the first Error.
Status run_jobs(std::vector<Job>& jobs, const BuildSettings& settings, const std::string& marks,
                Step step) {
  std::mutex changing;
  Status status = Done{};
  reference::parallel_for(jobs.size(), std::thread::hardware_concurrency(), [&](std::size_t i) {
    Status ran = run_job(jobs[i], settings, marks, step);
    const std::lock_guard lock{changing};
    if (status && !ran) status = std::move(ran);
  });
  return status;
}

bool has_suffix(const std::string& path, std::initializer_list<std::string_view> suffixes) {
  return std::ranges::any_of(suffixes,
                             [&](std::string_view suffix) { return path.ends_with(suffix); });
}

std::string with_slash(std::string folder) {
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder;
}

std::string absolute(const std::string& path) {
  std::string full = fs::absolute(path).lexically_normal().string();
  if (full.size() > 1 && full.back() == '/') full.pop_back();
  return full;
}

bool is_library(const std::string& source) { return source.starts_with("-l"); }

BuildSettings settings_for(const Build& build, const EmulatorPaths& paths) {
  BuildSettings settings;
  settings.paths = paths;
  settings.options = build.options;
  settings.link_words = build.link_words;
  for (const std::string& folder : build.library_dirs)
    settings.library_dirs.push_back(absolute(folder));
  settings.debugged = build.debugged;
  settings.words.push_back("-std=gnu++" +
                           build.standard.substr(build.standard.find_first_of("0123456789")));
  std::set<std::string> folders;
  const auto add = [&](const std::string& folder, const std::string& shown) {
    const std::string full = absolute(folder.empty() ? "." : folder);
    if (folders.insert(full).second) settings.readable.push_back(full);
    settings.shown.emplace_back(with_slash(full), with_slash(shown));
  };
  settings.shown.emplace_back(with_slash(absolute(".")), "");
  for (const std::string& folder : build.readable) add(folder, folder);
  for (const std::string& folder : build.include_dirs) {
    add(folder, folder);
    settings.words.insert(settings.words.end(), {"-I", absolute(folder)});
  }
  for (const std::string& source : build.sources) {
    if (is_library(source)) continue;
    const std::string folder = fs::path(source).parent_path().string();
    add(folder, folder);
  }
  for (std::size_t i = 0; i + 1 < build.words.size(); ++i)
    if (build.words[i] == "-include" && build.words[i + 1].starts_with('/'))
      settings.readable.push_back(fs::path(build.words[i + 1]).parent_path().string());
  if (!build.dependencies.empty()) {
    settings.dependencies = build.dependencies;
    settings.dependencies.insert(settings.dependencies.end(), {"-MF", dependencies_name});
  }
  for (const std::string& define : build.defines) settings.words.push_back("-D" + define);
  settings.words.insert(settings.words.end(), build.words.begin(), build.words.end());
  std::ranges::stable_sort(settings.shown, {}, [](const auto& each) { return each.first.size(); });
  return settings;
}

// Returns the error of a tool for a problem that has no line. A source can cause it, for example by
// a section of ours. Returns an Error if the machine is the cause.
Result<FileDiagnostic> tool_failure(const char* what, const ProcessResult& ran) {
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  // Names of temporary files come first.
  std::string first = ran.errors.substr(0, ran.errors.find('\n'));
  if (const std::size_t at = first.rfind(": "); at != std::string::npos) first.erase(0, at + 2);
  if (ran.end != ProcessResult::End::exited || ran.code > 1 ||
      !worker::machine_complaint(ran.errors).empty())
    return Error{fmt::format("{}: {}", what, first)};
  return FileDiagnostic{{}, {Severity::error, 0, 0, fmt::format("{}: {}", what, first)}};
}

// Puts the device object of a unit into its host object.
Status embed(Job& host, const Job& device, const BuildSettings& settings) {
  const std::string object = read_file(device.folder->path() + "/" + object_name);
  TRY(write_file(
      host.folder->path() + "/" + record_name,
      device_record({reinterpret_cast<const std::uint8_t*>(object.data()), object.size()})));
  const ProcessResult ran = TRY(worker::run_process(embed_record(settings, host.folder->path())));
  if (went_well(ran)) return Done{};
  host.diagnostics.push_back(TRY(tool_failure("the device code cannot be added", ran)));
  host.ok = false;
  return Done{};
}

// The compilations of a build, and which of them make each of its inputs.
struct Jobs {
  std::vector<Job> list;
  std::vector<std::optional<std::size_t>> of_source;  // the first one; nullopt for objects
};

// Returns an Error if the compiler cannot read the source: as root, it runs as another user.
Status check_readable(const std::string& source, const EmulatorPaths& paths) {
  if (access(source.c_str(), R_OK) != 0) return Error{fmt::format("{}: cannot be read", source)};
  if (const std::string folder = closed_folder(source, paths); !folder.empty())
    return Error{fmt::format(
        "{}: root's compiler runs as another user, which cannot enter {}: type `chmod o+rx {}`",
        source, folder, folder)};
  return Done{};
}

Result<Jobs> jobs_for(const Build& build, const EmulatorPaths& paths, Step step) {
  Jobs jobs;
  for (const std::string& source : build.sources) {
    const bool is_binary = is_library(source) || has_suffix(source, {".o", ".obj", ".a", ".so"});
    if (!is_library(source)) TRY(check_readable(source, paths));
    jobs.of_source.push_back(is_binary ? std::nullopt : std::optional{jobs.list.size()});
    if (is_binary) continue;
    const std::string path = absolute(source);
    const bool is_cuda = build.language == Language::cuda ||
                         (build.language == Language::by_suffix && has_suffix(path, {".cu"}));
    const bool is_c = build.language == Language::c ||
                      (build.language == Language::by_suffix && has_suffix(path, {".c"}));
    if (!is_cuda) {
      jobs.list.push_back({path, std::nullopt, is_c, {}, {}});
      continue;
    }
    jobs.list.push_back({path, Pass::host, false, {}, {}});
    if (step == Step::object) jobs.list.push_back({path, Pass::device, false, {}, {}});
  }
  return jobs;
}

// Runs the compilations. Returns whether all succeeded.
Result<bool> compile(Jobs& jobs, const Build& build, const BuildSettings& settings, Step step,
                     std::vector<FileDiagnostic>& diagnostics) {
  TRY(run_jobs(jobs.list, settings, text_of_marks(build), step));
  const auto all_ok = [&] { return std::ranges::all_of(jobs.list, &Job::ok); };
  if (step == Step::object && all_ok())
    for (std::size_t i = 0; i < jobs.list.size(); ++i)
      if (jobs.list[i].pass == Pass::host) TRY(embed(jobs.list[i], jobs.list[i + 1], settings));
  for (Job& job : jobs.list) std::ranges::move(job.diagnostics, std::back_inserter(diagnostics));
  return all_ok();
}

// Runs a command of the link of device code.
Status run_step(const ProcessSpec& spec) {
  const ProcessResult ran = TRY(worker::run_process(spec));
  if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
  if (went_well(ran)) return Done{};
  return Error{fmt::format("the device code cannot be linked: {}",
                           ran.errors.substr(0, ran.errors.find('\n')))};
}

// Replaces the device objects of the executable by one, in which they call each other.
Status link_device_code(const BuildSettings& settings, const std::string& folder) {
  if (read_file(folder + "/" + executable_name).find(relocatable_mark) == std::string::npos)
    return Done{};
  TRY(run_step(take_section(settings, folder)));
  const std::string section = read_file(folder + "/" + record_name);
  const auto objects =
      device_objects({reinterpret_cast<const std::uint8_t*>(section.data()), section.size()});
  if (!objects || objects->size() < 2) return Done{};
  std::vector<std::string> names;
  for (const std::span<const std::uint8_t> object : *objects) {
    names.push_back(fmt::format("{}.{}", names.size(), object_name));
    TRY(write_file(folder + "/" + names.back(),
                   {reinterpret_cast<const char*>(object.data()), object.size()}));
  }
  TRY(run_step(link_device_objects(settings, names, folder)));
  const std::string linked = read_file(folder + "/" + object_name);
  TRY(write_file(
      folder + "/" + record_name,
      device_record({reinterpret_cast<const std::uint8_t*>(linked.data()), linked.size()})));
  return run_step(replace_section(settings, folder));
}

Result<std::string> copied(const std::string& from, const std::string& folder, std::size_t number,
                           const char* name) {
  std::string to = fmt::format("{}/{}.{}", folder, number, name);
  std::error_code failure;
  fs::copy_file(from, to, failure);
  if (failure) return Error{fmt::format("cannot write {}: {}", to, failure.message())};
  return to;
}

}  // namespace

std::string closed_folder(const std::string& path, const EmulatorPaths& paths) {
  if (paths.confinement == nullptr || geteuid() != 0) return {};
  std::string closed;
  for (fs::path each = absolute(path); each.has_relative_path(); each = each.parent_path()) {
    std::error_code failure;
    const fs::file_status status = fs::status(each, failure);
    const fs::perms wanted =
        fs::is_directory(status) ? fs::perms::others_exec : fs::perms::others_read;
    if (!failure && (status.permissions() & wanted) == fs::perms::none) closed = each.string();
  }
  return closed;
}

Result<Built> build_program(const Build& build, const EmulatorPaths& paths,
                            const std::string& runtime_library) {
  const worker::Unfinished folders_are_there;
  if (!folders_are_there.may_begin()) return Error{"interrupted"};
  const BuildSettings settings = settings_for(build, paths);
  Jobs jobs = TRY(jobs_for(build, paths, Step::object));
  Built built;
  std::vector<FileDiagnostic> diagnostics;
  if (TRY(compile(jobs, build, settings, Step::object, diagnostics))) {
    std::vector<std::string> inputs;
    for (std::size_t i = 0; i < build.sources.size(); ++i) {
      const std::string& source = build.sources[i];
      if (jobs.of_source[i])
        inputs.push_back(jobs.list[*jobs.of_source[i]].folder->path() + "/" + object_name);
      else
        inputs.push_back(is_library(source) ? source : absolute(source));
    }
    auto folder = std::make_shared<TemporaryFolder>(TRY(TemporaryFolder::make()));
    const ProcessResult ran = TRY(worker::run_process(
        link_program(settings, inputs, absolute(runtime_library), folder->path())));
    if (ran.end == ProcessResult::End::cancelled) return Error{"interrupted"};
    if (went_well(ran)) {
      TRY(link_device_code(settings, folder->path()));
      built.executable = folder->path() + "/" + executable_name;
      built.folder = std::move(folder);
    } else {
      const std::size_t before = diagnostics.size();
      std::ranges::move(linker_diagnostics(settings, inputs, ran.errors),
                        std::back_inserter(diagnostics));
      if (diagnostics.size() == before)
        diagnostics.push_back(TRY(tool_failure("the program cannot be linked", ran)));
    }
  }
  built.diagnostics = merge_diagnostics(settings, std::move(diagnostics));
  return built;
}

Result<Built> compile_sources(const Build& build, const EmulatorPaths& paths, Step step) {
  const worker::Unfinished folders_are_there;
  if (!folders_are_there.may_begin()) return Error{"interrupted"};
  const BuildSettings settings = settings_for(build, paths);
  Jobs jobs = TRY(jobs_for(build, paths, step));
  Built built;
  std::vector<FileDiagnostic> diagnostics;
  if (TRY(compile(jobs, build, settings, step, diagnostics))) {
    auto folder = std::make_shared<TemporaryFolder>(TRY(TemporaryFolder::make()));
    const char* name = step == Step::object         ? object_name
                       : step == Step::preprocessed ? preprocessed_name
                                                    : dependencies_name;
    for (std::size_t i = 0; i < jobs.of_source.size(); ++i) {
      if (!jobs.of_source[i]) continue;
      const std::string& from = jobs.list[*jobs.of_source[i]].folder->path();
      built.files.push_back(TRY(copied(from + "/" + name, folder->path(), i, name)));
      if (step == Step::object && !build.dependencies.empty())
        built.dependencies.push_back(
            TRY(copied(from + "/" + dependencies_name, folder->path(), i, dependencies_name)));
    }
    built.folder = std::move(folder);
  }
  built.diagnostics = merge_diagnostics(settings, std::move(diagnostics));
  return built;
}

}  // namespace histolab::kernels::program
