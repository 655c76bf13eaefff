#include "kernels/program/build/build_commands.h"

#include <fmt/format.h>

#include <filesystem>

#include "kernels/program/device_section.h"
#include "kernels/worker/compiling/compiler_command.h"

namespace histolab::kernels::program {
namespace {

using worker::ProcessSpec;
using Words = std::vector<std::string>;

constexpr std::uint64_t most_compile_seconds = 60;  // CPU time of one compilation

void append(Words& to, const Words& words) { to.insert(to.end(), words.begin(), words.end()); }

// Flags of the emulator's compilations, for text that also contains host code.
Words device_flags(const BuildSettings& settings) {
  Words words = worker::kernel_flags(settings.paths);
  append(words, {"-fexceptions", "-frtti", "-Wno-error=vla", "-Wno-vla"});
  if (settings.debugged) append(words, worker::debugger_flags(settings.paths));
  return words;
}

// The line of a call is found by its return address, which the call at a function's end must have.
Words host_flags(const BuildSettings& settings) {
  Words words = {"-I",
                 settings.paths.include_dir,
                 "-I",
                 settings.paths.include_dir + "/host",
                 "-DHISTOLAB_HOST",
                 "-O1",
                 "-fno-optimize-sibling-calls",
                 "-g1",
                 "-fPIE",
                 "-fsigned-char",
                 "-fwrapv",
                 "-fno-strict-aliasing",
                 "-fcf-protection=none",
                 "-frandom-seed=histolab",
                 "-fdiagnostics-format=json",
                 "-fno-diagnostics-show-caret"};
  append(words, worker::wanted_warnings());
  append(words, {"-Wno-attributes", "-Wno-shadow=compatible-local"});  // common in correct programs
  append(words, settings.options);
  return words;
}

// The debug information of kernels' host functions has the names and types of their parameters.
Words flags(const BuildSettings& settings, Pass pass) {
  if (pass == Pass::device) return device_flags(settings);
  Words words = host_flags(settings);
  append(words, {"-g", "-fno-var-tracking"});
  return words;
}

// Makes __FILE__ and the debug information name files as the build does.
Words prefix_maps(const BuildSettings& settings) {
  Words words;
  for (const auto& [folder, shown] : settings.shown)
    words.push_back(fmt::format("-ffile-prefix-map={}={}", folder, shown));
  return words;
}

ProcessSpec process(const BuildSettings& settings, Words command, const std::string& folder) {
  ProcessSpec spec = worker::compiler_process(settings.paths, std::move(command), folder);
  spec.reads = settings.readable;
  spec.limits.cpu_seconds = most_compile_seconds;
  return spec;
}

}  // namespace

ProcessSpec preprocess_pass(const BuildSettings& settings, Pass pass, const std::string& source,
                            const std::string& folder) {
  Words command = {
      settings.paths.compiler,   "-x", "c++", "-E", source, "-o", preprocessed_name, "-include",
      "histolab/whole_program.h"};
  append(command, flags(settings, pass));
  append(command, settings.words);
  append(command, prefix_maps(settings));
  if (pass == Pass::host) append(command, settings.dependencies);
  return process(settings, std::move(command), folder);
}

ProcessSpec compile_pass(const BuildSettings& settings, Pass pass, const std::string& folder) {
  Words command = {
      settings.paths.compiler, "-x", "c++-cpp-output", "-c", text_name, "-o", object_name};
  append(command, flags(settings, pass));
  append(command, settings.words);
  append(command, prefix_maps(settings));
  return process(settings, std::move(command), folder);
}

ProcessSpec compile_host_source(const BuildSettings& settings, bool is_c, const char* step,
                                const std::string& source, const std::string& folder) {
  const bool preprocesses = std::string_view(step) == "-E";
  Words command = {settings.paths.compiler,
                   "-x",
                   is_c ? "c" : "c++",
                   step,
                   source,
                   "-o",
                   preprocesses ? preprocessed_name : object_name,
                   "-DHISTOLAB_CPP"};
  append(command, host_flags(settings));
  append(command, settings.words);
  if (is_c) std::erase_if(command, [](const auto& word) { return word.starts_with("-std=gnu++"); });
  append(command, prefix_maps(settings));
  append(command, settings.dependencies);
  return process(settings, std::move(command), folder);
}

ProcessSpec embed_record(const BuildSettings& settings, const std::string& folder) {
  return process(
      settings,
      {"objcopy", fmt::format("--add-section={}={}", device_section, record_name), object_name},
      folder);
}

ProcessSpec take_section(const BuildSettings& settings, const std::string& folder) {
  return process(settings,
                 {"objcopy", fmt::format("--dump-section={}={}", device_section, record_name),
                  executable_name},
                 folder);
}

ProcessSpec link_device_objects(const BuildSettings& settings,
                                const std::vector<std::string>& objects,
                                const std::string& folder) {
  Words command = {"ld", "-r", "-o", object_name};
  append(command, objects);
  return process(settings, std::move(command), folder);
}

ProcessSpec replace_section(const BuildSettings& settings, const std::string& folder) {
  return process(settings,
                 {"objcopy", fmt::format("--update-section={}={}", device_section, record_name),
                  executable_name},
                 folder);
}

ProcessSpec link_program(const BuildSettings& settings, const std::vector<std::string>& inputs,
                         const std::string& runtime_library, const std::string& folder) {
  Words command = {settings.paths.compiler, "-pie", "-o", executable_name};
  append(command, inputs);
  append(command, {runtime_library, "-pthread"});
  append(command, settings.options);
  append(command, settings.link_words);
  for (const std::string& folder : settings.library_dirs) append(command, {"-L", folder});
  ProcessSpec spec = process(settings, std::move(command), folder);
  append(spec.reads, settings.library_dirs);
  for (const std::string& input : inputs)
    if (input.starts_with('/'))
      spec.reads.push_back(std::filesystem::path(input).parent_path().string());
  spec.reads.push_back(std::filesystem::path(runtime_library).parent_path().string());
  return spec;
}

}  // namespace histolab::kernels::program
