// histolab nvcc
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/nvcc_words.h"
#include "grader/cli/program_sources.h"
#include "grader/files/write_file.h"
#include "kernels/program/build/build.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
namespace program = kernels::program;
using Product = NvccWords::Product;

constexpr std::size_t most_output_bytes = 1ull << 30;

// Makefiles and CMake look for the words of the real nvcc. The release is that of the headers.
std::string version_text() {
  return fmt::format(
      "nvcc: NVIDIA (R) Cuda compiler driver, imitated by histolab {}\n"
      "Programs run on an emulated GPU\n"
      "Cuda compilation tools, release 13.0, V13.0.88\n",
      HISTOLAB_VERSION);
}

// CMake reads nvcc's commands for the toolkit's folders, the GPU and the link, which it makes with
// g++.
std::string verbose_text(const std::string& toolkit) {
  return fmt::format(
      "#$ PATH=/usr/local/bin:/usr/bin:/bin\n#$ TOP={0}\n#$ INCLUDES=\"-I{0}/include\"\n"
      "#$ LIBRARIES= \"-L{0}/lib64\"\n#$ cicc -arch compute_75\n"
      "#$ g++ -o \"a.out\" \"a.o\" \"-L{0}/lib64\" -lcudart_static -lrt -lpthread -ldl\n",
      toolkit);
}

Result<std::string> bytes_of(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t bytes = fs::file_size(path, failure);
  if (failure || bytes > most_output_bytes) return Error{fmt::format("{}: cannot be read", path)};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return Error{fmt::format("{}: cannot be read", path)};
  return std::move(text).str();
}

Status copy(const std::string& from, const std::string& to) {
  return grader::write_file(to, TRY(bytes_of(from)));
}

std::string output_of(const NvccWords& words, const std::string& source) {
  if (!words.output.empty()) return words.output;
  const fs::path name = fs::path(source).filename().replace_extension(".o");
  return (fs::path(words.output_folder) / name).string();
}

Result<program::Build> build_of(const Context& context, const NvccWords& words) {
  program::Build build;
  for (const std::string& input : words.inputs) {
    const InputKind kind = kind_of(words, input);
    if (kind == InputKind::unknown)
      return Error{fmt::format(
          "{}: nvcc does not know this kind of file: use .cu, .cpp, .c, .o or .a, or name the "
          "language with -x cu",
          input)};
    build.sources.push_back(input);
  }
  if (words.language == "cu") build.language = program::Language::cuda;
  if (words.language == "c++") build.language = program::Language::cpp;
  if (words.language == "c") build.language = program::Language::c;
  build.include_dirs = words.include_dirs;
  build.defines = words.defines;
  build.readable = {".."};
  if (!words.standard.empty()) build.standard = words.standard;
  build.options = words.host_words;
  build.words = words.words;
  build.link_words = words.link_words;
  build.library_dirs = words.library_dirs;
  std::erase_if(build.library_dirs, [](const std::string& each) { return !fs::exists(each); });
  std::erase_if(build.include_dirs, [](const std::string& each) { return !fs::exists(each); });
  build.relocatable = words.relocatable;
  build.starter = context.paths.program;
  return build;
}

// Make reads such a list: TARGET: FILES.
std::vector<std::string> dependency_words(const NvccWords& words, const std::string& target) {
  const bool all = words.dependencies == "-M" || words.dependencies == "-MD";
  std::vector<std::string> list = {
      all ? "-MD" : "-MMD", "-MT",
      words.dependency_target.empty() ? target : words.dependency_target};
  if (words.phony_targets) list.emplace_back("-MP");
  return list;
}

// One source at a time: each has its own output and its own list of files.
int compile_each(const NvccWords& words, const program::Build& all,
                 const kernels::EmulatorPaths& paths, Sources& sources) {
  using program::Step;
  const Step step = words.product == Product::objects        ? Step::object
                    : words.product == Product::preprocessed ? Step::preprocessed
                                                             : Step::dependencies;
  for (const std::string& source : all.sources) {
    const InputKind kind = kind_of(words, source);
    if (kind == InputKind::binary || kind == InputKind::library) continue;
    const std::string object = output_of(words, source);
    program::Build build = all;
    build.sources = {source};
    const std::string usual = fs::path(source).filename().replace_extension(".o").string();
    if (!words.dependencies.empty())
      build.dependencies = dependency_words(words, step == Step::object ? object : usual);
    const Result<program::Built> built = program::compile_sources(build, paths, step);
    if (!built) return complain(built.error());
    note_diagnostics(built->diagnostics, sources);
    if (built->files.empty()) return not_passed;
    const std::string output = step == Step::object   ? object
                               : words.output.empty() ? "-"
                                                      : words.output;
    if (Status copied = copy(built->files[0], output); !copied) return complain(copied.error());
    if (built->dependencies.empty()) continue;
    const std::string list = words.dependency_file.empty()
                                 ? fs::path(object).replace_extension(".d").string()
                                 : words.dependency_file;
    if (Status copied = copy(built->dependencies[0], list); !copied)
      return complain(copied.error());
  }
  return done;
}

int link(const NvccWords& words, const program::Build& build, const Context& context,
         const kernels::EmulatorPaths& paths, Sources& sources) {
  const Result<program::Built> built =
      program::build_program(build, paths, context.paths.runtime_library);
  if (!built) return complain(built.error());
  note_diagnostics(built->diagnostics, sources);
  if (built->executable.empty()) return not_passed;
  const std::string output =
      words.output.empty() ? (fs::path(words.output_folder) / "a.out").string() : words.output;
  if (Status copied = copy(built->executable, output); !copied) return complain(copied.error());
  struct stat facts {};
  if (stat(output.c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) {
    const mode_t mask = umask(0);
    umask(mask);
    chmod(output.c_str(), 0777 & ~mask);
  }
  return done;
}

int nvcc(const Context& context) {
  const Result<NvccWords> words = parse_nvcc(context.program_words);
  if (!words) return complain({fmt::format("nvcc: {}", words.error().message)});
  if (words->product == Product::version) return print(version_text());
  if (words->product == Product::toolkit) return print(context.paths.toolkit + "\n");
  for (const std::string& each : words->notes) note(fmt::format("histolab nvcc: {}\n", each));
  if (words->verbose || words->dry) note(verbose_text(context.paths.toolkit));
  if (words->dry) return done;
  if (words->device_link)
    return complain({"nvcc: -dlink: let nvcc link the program, which links the device code, too"});
  const Result<program::Build> build = build_of(context, *words);
  if (!build) return complain(build.error());
  const auto is_source = [&](const std::string& input) {
    const InputKind kind = kind_of(*words, input);
    return kind != InputKind::binary && kind != InputKind::library;
  };
  if (words->product != Product::program && !words->output.empty() &&
      std::ranges::count_if(build->sources, is_source) > 1)
    return complain({"nvcc: -o names one file, and there are several sources: leave it out"});
  const Result<kernels::EmulatorPaths> paths = emulator_paths(context);
  if (!paths) return complain(paths.error());
  Sources sources;
  sources.allow(*build);
  return words->product == Product::program ? link(*words, *build, context, *paths, sources)
                                            : compile_each(*words, *build, *paths, sources);
}

}  // namespace

// The parser of this program only prints the help: parse_nvcc() gets the words.
void add_nvcc(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "nvcc", "compiles CUDA programs for the emulator with nvcc's options, in Makefiles too",
      "histolab nvcc -o histogram main.cpp histogram.cu\n"
      "make NVCC=\"histolab nvcc\"\n"
      "make CUDA_PATH=$(histolab nvcc --toolkit)");
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto flag = std::make_shared<bool>();
  command->add_option("FILE", *words, "CUDA, C++ and C sources, objects, archives")->type_name("");
  command->add_flag("-c", *flag, "compiles each source to an object");
  command->add_option("-o", *words, "the program or object to make (a.out)")->type_name("FILE");
  command->add_option("-I", *words, "folder of headers")->type_name("DIR");
  command->add_option("-D", *words, "defines a macro: NAME or NAME=VALUE")->type_name("NAME");
  command->add_flag("--toolkit", *flag, "prints a folder with bin/nvcc, include and lib64");
  command->callback(
      [&context, words, flag] { context.run = [&context] { return nvcc(context); }; });
}

}  // namespace histolab::cli
