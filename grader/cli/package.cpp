// histolab package
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "grader/batch/rubric.h"
#include "grader/bundle/kit_sources.h"
#include "grader/bundle/zip.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/edition.h"
#include "grader/edition/edition.h"
#include "grader/edition/leaks.h"
#include "grader/files/write_file.h"
#include "grader/pipeline/profile_json.h"
#include "grader/pipeline/record_solution.h"
#include "grader/words/words.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using bundle::File;
using grader::LabSpec;

constexpr std::uint64_t recorded_seed = 1;  // the default of `grade`

struct PackageFlags {
  std::string reader, out, assignment;
  std::vector<std::string> words;
};

bool is_archive(const std::string& path) {
  return path.ends_with(".zip") || path.ends_with(".tar.gz") || path.ends_with(".tgz");
}
bool is_deb(const std::string& path) { return path.ends_with(".deb"); }

// Returns an Error if the folder has files or the archive cannot be written.
Status is_free(const std::string& out) {
  if (is_archive(out) || is_deb(out)) return grader::check_writable(out);
  std::error_code ignored;
  if (fs::exists(out, ignored) && !(fs::is_directory(out, ignored) && fs::is_empty(out, ignored)))
    return Error{fmt::format(
        "{} exists already; name a new folder, or a file that ends in .tar.gz, .zip or .deb", out)};
  return Done{};
}

Status write_folder(const std::string& folder, const std::vector<File>& files) {
  for (const File& file : files) {
    const fs::path path = fs::path(folder) / file.path;
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    if (failure)
      return Error{
          fmt::format("{}: cannot be made: {}", path.parent_path().string(), failure.message())};
    TRY(grader::write_file(path.string(), file.bytes));
    if (file.executable)
      fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add, failure);
    if (failure) return Error{fmt::format("{}: {}", path.string(), failure.message())};
  }
  return Done{};
}

Status write_archive(const std::string& path, std::vector<File> files) {
  for (File& file : files)
    file.path = fmt::format("histolab-students-{}/{}", HISTOLAB_VERSION, file.path);
  const std::string bytes = TRY(path.ends_with(".zip") ? bundle::zip_of(std::move(files))
                                                       : bundle::tar_gz_of(std::move(files)));
  return grader::write_file(path, bytes);
}

// Runs CMake in the folder; cmake/package.cmake builds the package.
Status run_cmake(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "cmake");
  kernels::worker::ProcessSpec spec;
  spec.command = std::move(words);
  spec.directory = folder;
  for (const char* name : {"PATH", "HOME", "TMPDIR", "CCACHE_DIR", "CCACHE_BASEDIR",
                           "CMAKE_CXX_COMPILER_LAUNCHER", "CXX", "SOURCE_DATE_EPOCH"})
    if (const char* value = std::getenv(name); value != nullptr)
      spec.environment.push_back(fmt::format("{}={}", name, value));
  spec.limits = {.cpu_seconds = 7200,
                 .wall = std::chrono::hours{2},
                 .data_bytes = 1ull << 40,
                 .file_bytes = 1ull << 40};
  const kernels::worker::ProcessResult ended = TRY(kernels::worker::run_process(spec));
  if (ended.end == kernels::worker::ProcessResult::End::exited && ended.code == 0) return Done{};
  const std::string said = ended.errors.empty() ? ended.output : ended.errors;
  return Error{fmt::format("{} failed; the end of what it printed:\n{}",
                           fmt::join(spec.command, " "),
                           said.substr(said.size() - std::min<std::size_t>(said.size(), 2000)))};
}

Result<std::string> build_deb(const std::vector<File>& files) {
  const kernels::worker::TemporaryFolder folder = TRY(kernels::worker::TemporaryFolder::make());
  TRY(write_folder(folder.path(), files));
  note("histolab: building the Debian package; this takes some minutes\n");
  TRY(run_cmake(folder.path(), {"--preset", "package"}));
  TRY(run_cmake(folder.path(), {"--build", "build/package", "--target", "package"}));
  std::error_code failure;
  for (fs::directory_iterator at{folder.path() + "/build/package", failure}, end;
       !failure && at != end; at.increment(failure))
    if (at->path().extension() == ".deb") {
      std::ifstream in{at->path(), std::ios::binary};
      return std::string{std::istreambuf_iterator<char>{in}, {}};
    }
  return Error{"CMake made no package"};
}

Result<std::map<std::string, std::string>> record_all(const Context& context,
                                                      const std::vector<LabSpec>& labs) {
  const reference::TimingProfile profile =
      TRY(grader::load_profile(context.paths.profiles, kernels::LaunchConfig{}.profile));
  const std::unique_ptr<kernels::Device> emulator = TRY(make_emulator(context));
  std::map<std::string, std::string> recorded;
  for (const LabSpec& lab : labs) {
    const grader::Recorded numbers =
        TRY(grader::record_solution(*emulator, lab, profile, recorded_seed));
    recorded[lab.name] = grader::to_json(numbers);
  }
  return recorded;
}

int package(const Context& context, const PackageFlags& flags) {
  if (flags.reader != "students")
    return complain({fmt::format("--for {}: must be students", flags.reader)});
  const Result<batch::Rubric> rubric =
      flags.assignment.empty() ? batch::Rubric{} : batch::load_rubric(flags.assignment);
  if (!rubric) return complain(rubric.error());
  const std::vector<std::string>& words = flags.words.empty() ? rubric->chosen : flags.words;
  const Result<std::vector<LabSpec>> all = chosen_labs(context, {}),
                                     unchanged = chosen_labs(context, words),
                                     labs = class_labs(context, words, *rubric, flags.assignment);
  if (!all) return complain(all.error());
  if (!unchanged) return complain(unchanged.error());
  if (!labs) return complain(labs.error());
  if (Status whole = needs_whole_kit(*all, "package"); !whole) return complain(whole.error());
  if (Status is_possible = is_free(flags.out); !is_possible) return complain(is_possible.error());
  Result<std::map<std::string, std::string>> recorded = record_all(context, *labs);
  if (!recorded) return complain(recorded.error());
  Result<std::vector<File>> files = edition::files_of(
      {bundle::source_tree(), context.paths.measurements, *labs, std::move(*recorded)});
  if (!files) return complain(files.error());
  const auto descriptions = batch::changed_descriptions(*unchanged, *rubric);
  if (!descriptions) return complain(descriptions.error());
  for (const auto& [lab, text] : *descriptions) {
    const auto file = std::ranges::find(*files, fmt::format("labs/{}/lab.json", lab), &File::path);
    if (file == files->end())
      return complain({fmt::format("the edition has no description of {}", lab)});
    file->bytes = text;
  }
  const Result<std::vector<edition::Leak>> leaks = edition::find_leaks(*files, *all);
  if (!leaks) return complain(leaks.error());
  if (!leaks->empty()) {
    note(leaks_text(*leaks) +
         fmt::format("histolab: {}: nothing was written, because students would see this\n",
                     flags.out));
    return not_passed;
  }
  if (is_deb(flags.out)) {
    const Result<std::string> deb = build_deb(*files);
    if (!deb) return complain(deb.error());
    if (Status put = grader::write_file(flags.out, *deb); !put) return complain(put.error());
  } else if (Status put = is_archive(flags.out) ? write_archive(flags.out, *files)
                                                : write_folder(flags.out, *files);
             !put) {
    return complain(put.error());
  }
  note(fmt::format(
      "histolab: {} is the student edition: {}, {} files\nhistolab: it holds no solution, attempt, "
      "answer or note for instructors; `histolab check --edition {}` checks it again\n",
      flags.out, grader::counted(labs->size(), "lab"), files->size(), flags.out));
  return done;
}

Result<std::vector<File>> files_in_folder(const std::string& folder) {
  std::vector<File> files;
  std::error_code failure;
  for (fs::recursive_directory_iterator at{folder, failure}, end; !failure && at != end;
       at.increment(failure)) {
    if (!at->is_regular_file(failure)) continue;
    std::ifstream in{at->path(), std::ios::binary};
    std::string bytes{std::istreambuf_iterator<char>{in}, {}};
    if (!in.is_open() || in.bad())
      return Error{fmt::format("{}: cannot be read", at->path().string())};
    files.push_back({at->path().lexically_relative(folder).string(), std::move(bytes)});
  }
  if (failure) return Error{fmt::format("{}: cannot be read: {}", folder, failure.message())};
  return files;
}

}  // namespace

std::string leaks_text(const std::vector<edition::Leak>& leaks) {
  std::string text, file;
  for (const edition::Leak& leak : leaks) {
    if (leak.file != file) text += (file = leak.file) + "\n";
    text += grader::paragraph(leak.what, 2);
  }
  return text;
}

int check_edition(const Context& context, const std::string& path) {
  const Result<std::vector<LabSpec>> labs = chosen_labs(context, {});
  if (!labs) return complain(labs.error());
  if (Status whole = needs_whole_kit(*labs, "check --edition"); !whole)
    return complain(whole.error());
  std::error_code ignored;
  const Result<std::vector<File>> files =
      fs::is_directory(path, ignored) ? files_in_folder(path) : bundle::files_of_archive(path);
  if (!files) return complain(files.error());
  const Result<std::vector<edition::Leak>> leaks = edition::find_leaks(*files, *labs);
  if (!leaks) return complain(leaks.error());
  const std::string verdict =
      leaks->empty()
          ? fmt::format("{}: no solution, attempt, answer or note for instructors in {} files\n",
                        path, files->size())
          : fmt::format("{}: students would see this\n", path);
  const int printed = print(leaks_text(*leaks) + verdict);
  return printed != done ? printed : leaks->empty() ? done : not_passed;
}

void add_package(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "package",
      "makes the student edition: the kit without solutions, attempts, answers and notes",
      "histolab package --for students histolab-students\n"
      "histolab package --for students course.tar.gz 01 02 04\n"
      "histolab package --for students course.deb");
  const auto flags = std::make_shared<PackageFlags>();
  command->add_option("--for", flags->reader, "students")->required()->type_name("WHOM");
  command
      ->add_option("OUT", flags->out, "a new folder, or a file that ends in .tar.gz, .zip or .deb")
      ->required()
      ->type_name("");
  command->add_option("LAB", flags->words, "labs in the edition (all, or those of the assignment)")
      ->type_name("");
  command
      ->add_option("--assignment", flags->assignment,
                   "file with the labs that count, their points, cases and checks; its seed and "
                   "lists are left out")
      ->type_name("FILE");
  command->callback(
      [&context, flags] { context.run = [&context, flags] { return package(context, *flags); }; });
}

}  // namespace histolab::cli
