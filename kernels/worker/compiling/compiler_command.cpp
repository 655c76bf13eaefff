#include "kernels/worker/compiling/compiler_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "kernels/code_tokens.h"
#include "kernels/emulator/arch/compiler_options.h"

namespace histolab::kernels::worker {
namespace {

constexpr const char* shim = "histolab/cuda_shim.h";
// Mistakes that are never intended. All other warnings are dropped: g++ warns about much correct
// CUDA.
constexpr const char* warnings[] = {
    "-Wparentheses",   "-Wempty-body",    "-Wmisleading-indentation",  "-Wunused-value",
    "-Wunused-result", "-Wuninitialized", "-Wshadow=compatible-local", "-Wformat"};

using Words = std::vector<std::string>;

void append(Words& to, const Words& words) { to.insert(to.end(), words.begin(), words.end()); }

// Returns the tokens of a source, one per line. Comments must not change the options of a
// compilation, since sources that differ only in comments share a result.
std::string code_in(const std::string& text) {
  std::string code;
  for (const CodeToken& token : code_tokens(text)) code += token.spelling + "\n";
  return code;
}

// Returns options for families of functions that few kernels use. Their declarations are compiled
// only if the text may use one.
Words families_in(const EmulatorPaths& paths, const std::string& code) {
  static constexpr struct {
    const char* header;
    std::initializer_list<const char*> signs;
  } families[] = {
      {"nv_atomics.h", {"__nv_atomic", "__NV_"}},
      {"simd_intrinsics.h", {"__v"}},
      {"float_intrinsics.h",
       {"_as_",   "2float", "2double", "2int",  "2uint", "2ll",  "2ull",        "__hiloint",
        "2hiint", "2loint", "_rn",     "_rz",   "_ru",   "_rd",  "__saturatef", "__fdividef",
        "__exp",  "__log",  "__sin",   "__cos", "__tan", "__pow"}}};
  Words words;
  for (const auto& family : families)
    if (std::any_of(family.signs.begin(), family.signs.end(),
                    [&](const char* sign) { return code.find(sign) != std::string::npos; }))
      append(words, {"-include", paths.include_dir + "/histolab/" + family.header});
  return words;
}

}  // namespace

// A precompiled shim is only usable with the same flags.
Words kernel_flags(const EmulatorPaths& paths) {
  Words words = {
      "-I", paths.include_dir,
      // Only the instrumentation that shows every access to the emulator.
      "-fsanitize=thread", "--param", "tsan-instrument-func-entry-exit=0", "--param",
      "tsan-distinguish-volatile=1", "-O1", "-fno-tree-loop-im", "-fno-tree-fre",
      "-fno-tree-dominator-opts", "-fno-tree-dse", "-fno-tree-dce", "-fno-tree-sink",
      "-fno-tree-cselim",  // accesses stay in place
      // A uint4 is moved in one access, not per member. memset and memcpy stay calls, which the
      // runtime reports.
      "-fno-tree-sra", "-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-builtin-memmove",
      // Every jump has a fixed target, so that loops can be found. Code stays in the order of the
      // source.
      "-fno-jump-tables", "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition",
      // A form that the loader accepts: one section per function and variable, no helper functions.
      "-fPIE", "-ftls-model=local-exec", "-fno-extern-tls-init", "-ffunction-sections",
      "-fdata-sections", "-fno-common", "-fno-asynchronous-unwind-tables", "-fno-exceptions",
      "-fno-rtti", "-fno-stack-protector",
      // Memory accesses have a form that can be proved (access_proof.h).
      "-fno-optimize-sibling-calls", "-fno-move-loop-invariants", "-Werror=vla",
      "-fno-stack-clash-protection", "-U_FORTIFY_SOURCE", "-fno-gnu-unique",
      // Device semantics: char is signed, integers wrap, casts between vector types are common.
      "-fsigned-char", "-fwrapv", "-fno-strict-aliasing",
      // A local variable that is never set has the same value in each thread, in any order of
      // threads.
      "-ftrivial-auto-var-init=pattern",
      // Allocations and frees of a kernel are not optimized away, and `new` may return null.
      "-fno-builtin-malloc", "-fno-builtin-free", "-fno-allocation-dce", "-fcheck-new",
      // For shifts without a mark (device_operators.h) and for distances that the compiler knows.
      "-fsanitize=shift-exponent",
      "-frandom-seed=histolab",  // for names that g++ invents
      // Limits compile-time evaluation by steps, equal on each machine and long before the time
      // limit.
      "-fconstexpr-loop-limit=65536", "-fconstexpr-ops-limit=2097152", "-g1",
      "-fdiagnostics-format=json", "-fno-diagnostics-show-caret"};
  append(words, {std::begin(emulator::kernel_options), std::end(emulator::kernel_options)});
  append(words, wanted_warnings());
  return words;
}

Words debugger_flags(const EmulatorPaths& paths) {
  Words words = {std::begin(emulator::debugged_kernel_options),
                 std::end(emulator::debugged_kernel_options)};
  append(words, {"-O0", "-g", "-DHISTOLAB_DEBUGGER", "-finstrument-functions",
                 "-finstrument-functions-exclude-file-list=" +
                     paths.include_dir});  // begin and end of a thread
  return words;
}

Words wanted_warnings() { return {std::begin(warnings), std::end(warnings)}; }

ProcessSpec compiler_process(const EmulatorPaths& paths, Words command, const std::string& folder,
                             const std::string& precompiled) {
  ProcessSpec spec;
  spec.cancellation = paths.cancellation;
  spec.confinement = paths.confinement;
  spec.purpose = Purpose::compile;
  spec.command = std::move(command);
  spec.environment = {fmt::format("PATH={}", fmt::join(program_folders, ":")), "LC_ALL=C",
                      "TMPDIR=" + folder, fmt::format("SOURCE_DATE_EPOCH={}", time_of_compilations),
                      "TZ=UTC0"};
  spec.directory = folder;
  if (!precompiled.empty()) spec.reads = {precompiled};
  spec.limits.data_bytes = most_memory_of_compiler;
  spec.limits.output_bytes = 4 << 20;
  return spec;
}

namespace {

Words command_line(const EmulatorPaths& paths, const char* step, const std::string& text,
                   const std::string& precompiled = {}) {
  Words command = {paths.compiler, "-x", "c++", "-std=c++20", step, source_name, "-include", shim};
  // Searched first; ignored if unsuitable.
  if (!precompiled.empty()) append(command, {"-I", precompiled});
  append(command, kernel_flags(paths));
  if (std::string_view(step) == "-c")
    append(command, {"-o", object_name, fmt::format("-fdump-ipa-visibility={}", calls_name)});
  const std::string code = code_in(text);
  // The emulator decides which lanes are at such a call. For that it follows each lane per branch.
  if (code.find("__activemask") != std::string::npos ||
      code.find("coalesced_threads") != std::string::npos)
    command.emplace_back("-fsanitize-coverage=trace-pc");
  append(command, families_in(paths, code));
  return command;
}

}  // namespace

ProcessSpec preprocessing(const EmulatorPaths& paths, const std::string& text,
                          const std::string& folder, const std::string& precompiled) {
  return compiler_process(paths, command_line(paths, "-E", text, precompiled), folder, precompiled);
}

ProcessSpec compiling(const EmulatorPaths& paths, const std::string& text,
                      const std::string& folder, const std::string& precompiled) {
  Words command = command_line(paths, "-c", text, precompiled);
  command.push_back(fmt::format("-fdump-tree-tsan-lineno={}", accesses_name));
  return compiler_process(paths, std::move(command), folder, precompiled);
}

ProcessSpec checking_syntax(const EmulatorPaths& paths, const std::string& text,
                            const std::string& folder, const std::string& precompiled) {
  return compiler_process(paths, command_line(paths, "-fsyntax-only", text, precompiled), folder,
                          precompiled);
}

ProcessSpec compiling_debugged(const EmulatorPaths& paths, const std::string& text,
                               const std::string& folder, const std::string& path) {
  Words command = command_line(paths, "-c", text);
  append(command, debugger_flags(paths));
  append(command, {fmt::format("-fdebug-prefix-map={}={}", source_name, path),
                   fmt::format("-fdebug-prefix-map={}={}", folder,
                               std::filesystem::path(path).parent_path().string()),
                   fmt::format("-fdump-tree-tsan0-lineno={}", accesses_name)});
  return compiler_process(paths, std::move(command), folder);
}

ProcessSpec optimizing(const EmulatorPaths& paths, const std::string& folder) {
  Words command = {
      paths.compiler, "-x", "c++", "-std=c++20", "-S", source_name, "-o", "kernel.s",
      "-undef",  // macros are already expanded; only ours is left
      // Unrolls like nvcc, also loops with a call in them.
      "-Dfor=_Pragma(\"GCC unroll 64\") for", "-O3", "--param", "max-completely-peel-times=64",
      "--param", "max-completely-peeled-insns=4000",
      // Elements stay elements: no pointers that walk over an array, no loops turned into memset.
      "-fno-ivopts", "-fno-tree-loop-distribute-patterns", "-fno-tree-vectorize",
      "-fno-tree-slp-vectorize", "-fno-tree-loop-im", "-fno-unswitch-loops", "-fno-tree-pre",
      "-fsigned-char", "-fwrapv", "-fno-strict-aliasing", "-fno-exceptions", "-fno-rtti", "-g1",
      "-w", fmt::format("-fdump-tree-optimized-lineno={}", optimized_name)};
  return compiler_process(paths, std::move(command), folder);
}

ProcessSpec precompiling(const EmulatorPaths& paths, const std::string& folder) {
  Words command = {paths.compiler,
                   "-x",
                   "c++-header",
                   "-std=c++20",
                   paths.include_dir + "/" + shim,
                   "-o",
                   fmt::format("{}.gch", shim)};
  append(command, kernel_flags(paths));
  return compiler_process(paths, std::move(command), folder);
}

bool is_wanted_warning(const std::string& option) {
  return std::any_of(std::begin(warnings), std::end(warnings), [&](const char* each) {
    return option == each || option == std::string(each) + "=";
  });
}

}  // namespace histolab::kernels::worker
