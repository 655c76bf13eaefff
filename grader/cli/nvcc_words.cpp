#include "grader/cli/nvcc_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <string_view>

#include "grader/files/read_file.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;

// The meaning of an option. `noted`: accepted with a note. The part of a word behind `joined` is
// its value: -Idir.
enum class Meaning {
  compile,
  compile_relocatable,
  relocatable,
  preprocess,
  list_dependencies,
  list_own_dependencies,
  with_dependencies,
  with_own_dependencies,
  dependency_file,
  dependency_target,
  phony_targets,
  device_link,
  output,
  output_folder,
  include,
  system_include,
  pre_include,
  define,
  undefine,
  library,
  library_dir,
  language,
  standard,
  optimize,
  host,
  linker,
  no_warnings,
  file_of_options,
  forward,
  dry,
  verbose,
  ignored,
  noted,
  refused,
};
enum class Value { none, separate, joined };  // separate: "-o FILE" or "-o=FILE"

struct Option {
  std::string_view name, long_name;  // without dashes
  Value value = Value::none;
  Meaning meaning = Meaning::ignored;
  std::string_view reason = {};  // of a note or a refusal
};

constexpr std::string_view no_gpu_code = "histolab makes no GPU code: leave the option out";
constexpr std::string_view exact = "the emulator computes as without it";

// nvcc's options: https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc
constexpr auto options = std::to_array<Option>({
    {"c", "compile", Value::none, Meaning::compile},
    {"dc", "device-c", Value::none, Meaning::compile_relocatable},
    {"dw", "device-w", Value::none, Meaning::compile},
    {"dlink", "device-link", Value::none, Meaning::device_link},
    {"E", "preprocess", Value::none, Meaning::preprocess},
    {"M", "generate-dependencies", Value::none, Meaning::list_dependencies},
    {"MM", "generate-nonsystem-dependencies", Value::none, Meaning::list_own_dependencies},
    {"MD", "generate-dependencies-with-compile", Value::none, Meaning::with_dependencies},
    {"MMD", "generate-nonsystem-dependencies-with-compile", Value::none,
     Meaning::with_own_dependencies},
    {"MF", "dependency-output", Value::separate, Meaning::dependency_file},
    {"MT", "dependency-target-name", Value::separate, Meaning::dependency_target},
    {"MP", "generate-dependency-targets", Value::none, Meaning::phony_targets},
    {"o", "output-file", Value::separate, Meaning::output},
    {"odir", "output-directory", Value::separate, Meaning::output_folder},
    {"I", "include-path", Value::joined, Meaning::include},
    {"isystem", "system-include", Value::separate, Meaning::system_include},
    {"include", "pre-include", Value::separate, Meaning::pre_include},
    {"D", "define-macro", Value::joined, Meaning::define},
    {"U", "undefine-macro", Value::joined, Meaning::undefine},
    {"l", "library", Value::joined, Meaning::library},
    {"L", "library-path", Value::joined, Meaning::library_dir},
    {"x", "x", Value::separate, Meaning::language},
    {"std", "std", Value::separate, Meaning::standard},
    {"O", "optimize", Value::joined, Meaning::optimize},
    {"Xcompiler", "compiler-options", Value::separate, Meaning::host},
    {"Xlinker", "linker-options", Value::separate, Meaning::linker},
    {"w", "disable-warnings", Value::none, Meaning::no_warnings},
    {"optf", "options-file", Value::separate, Meaning::file_of_options},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", Value::none,
     Meaning::forward},
    {"forward-unknown-opts", "forward-unknown-opts", Value::none, Meaning::forward},
    {"dryrun", "dryrun", Value::none, Meaning::dry},
    {"v", "verbose", Value::none, Meaning::verbose},
    // The emulator records lines in any case, and emulates the GPU of a profile.
    {"g", "debug"},
    {"pg", "profile"},
    {"G", "device-debug"},
    {"lineinfo", "generate-line-info"},
    {"arch", "gpu-architecture", Value::separate},
    {"code", "gpu-code", Value::separate},
    {"gencode", "generate-code", Value::separate},
    {"m64", "m64"},
    {"m", "machine", Value::separate},
    {"rdc", "relocatable-device-code", Value::separate, Meaning::relocatable},
    {"cudart", "cudart", Value::separate},
    {"cudadevrt", "cudadevrt", Value::separate},
    {"ccbin", "compiler-bindir", Value::separate},
    {"allow-unsupported-compiler", "allow-unsupported-compiler"},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr"},
    {"expt-extended-lambda", "expt-extended-lambda"},
    {"extended-lambda", "extended-lambda"},
    {"Xptxas", "ptxas-options", Value::separate},
    {"Xnvlink", "nvlink-options", Value::separate},
    {"Xcudafe", "cudafe-options", Value::separate},
    {"Xarchive", "archive-options", Value::separate},
    {"diag-suppress", "diag-suppress", Value::separate},
    {"diag-warn", "diag-warn", Value::separate},
    {"diag-error", "diag-error", Value::separate},
    {"Werror", "Werror", Value::separate},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets"},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations"},
    {"Wreorder", "Wreorder"},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this"},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds"},
    {"res-usage", "resource-usage"},
    {"keep", "keep"},
    {"keep-dir", "keep-dir", Value::separate},
    {"save-temps", "save-temps"},
    {"t", "threads", Value::separate},
    {"split-compile", "split-compile", Value::separate},
    {"time", "time", Value::separate},
    {"objtemp", "objdir-as-tempdir"},
    {"src-in-ptx", "source-in-ptx"},
    {"restrict", "restrict"},
    {"extra-device-vectorization", "extra-device-vectorization"},
    {"dopt", "dopt", Value::separate},
    {"dlto", "dlink-time-opt"},
    {"ewp", "extensible-whole-program"},
    {"no-compress", "no-compress"},
    {"compress-mode", "compress-mode", Value::separate},
    {"hls", "host-linker-script", Value::separate},
    {"noprof", "no-profile"},
    {"maxrregcount", "maxrregcount", Value::separate, Meaning::noted,
     "the emulator gives each thread the registers that it needs"},
    {"use_fast_math", "use_fast_math", Value::none, Meaning::noted, exact},
    {"ftz", "ftz", Value::separate, Meaning::noted, exact},
    {"prec-div", "prec-div", Value::separate, Meaning::noted, exact},
    {"prec-sqrt", "prec-sqrt", Value::separate, Meaning::noted, exact},
    {"fmad", "fmad", Value::separate, Meaning::noted, exact},
    {"default-stream", "default-stream", Value::separate, Meaning::noted,
     "all threads share the legacy default stream"},
    {"ptx", "ptx", Value::none, Meaning::refused, no_gpu_code},
    {"cubin", "cubin", Value::none, Meaning::refused, no_gpu_code},
    {"fatbin", "fatbin", Value::none, Meaning::refused, no_gpu_code},
    {"optix-ir", "optix-ir", Value::none, Meaning::refused, no_gpu_code},
    {"cuda", "cuda", Value::none, Meaning::refused, no_gpu_code},
    {"lib", "lib", Value::none, Meaning::refused,
     "compile with -c, and make the library with `ar rcs LIBRARY.a OBJECTS`"},
    {"shared", "shared", Value::none, Meaning::refused,
     "CUDA code in a shared library is not supported yet: link its objects into the program"},
    {"run", "run", Value::none, Meaning::refused, "start the program after it is built"},
    {"m32", "m32", Value::none, Meaning::refused, "CUDA programs have 64 bits"},
});

// Libraries of CUDA that are in the program anyway.
constexpr auto own_libraries =
    std::to_array<std::string_view>({"cudart", "cudart_static", "cudadevrt"});
// Without these the link fails if the program uses them, and names the function.
constexpr auto missing_libraries = std::to_array<std::string_view>(
    {"cuda",   "cublas",        "cublasLt", "cublas_static", "cufft", "cufft_static",
     "curand", "curand_static", "cusolver", "cusparse",      "cudnn", "nccl",
     "nvrtc",  "nvToolsExt",    "npps",     "nppc",          "nppi",  "nvjpeg",
     "nvml",   "nvidia-ml",     "cupti",    "culibos"});

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// nvcc separates several values by commas; \, is a comma.
std::vector<std::string> list_of(const std::string& value) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == ',')
      parts.back() += value[++i];
    else if (value[i] == ',')
      parts.emplace_back();
    else
      parts.back() += value[i];
  }
  std::erase(parts, "");
  return parts;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

struct Found {
  const Option* option = nullptr;
  std::string value;
  bool has_value = false;
};

// Finds the option of a word that begins with a dash.
Found find_option(const std::string& word) {
  const std::string_view name = std::string_view(word).substr(word.starts_with("--") ? 2 : 1);
  const std::size_t equals = name.find('=');
  const std::string_view before = name.substr(0, equals);
  for (const Option& option : options) {
    if (before != option.name && before != option.long_name) continue;
    if (equals == std::string_view::npos) return {&option, {}, false};
    if (option.value == Value::none) continue;
    return {&option, std::string(name.substr(equals + 1)), true};
  }
  if (!word.starts_with("--"))
    for (const Option& option : options)
      if (option.value == Value::joined && name.starts_with(option.name))
        return {&option, std::string(name.substr(option.name.size())), true};
  return {};
}

class Parser {
 public:
  Result<NvccWords> parse(const std::vector<std::string>& words) {
    forwards_ = std::ranges::any_of(words, [](const std::string& word) {
      return word.find("-forward-unknown-") != std::string::npos;
    });
    TRY(read(words, 0));
    if (result_.product == Product::program && result_.inputs.empty())
      return Error{"no input files (`histolab nvcc --help` shows how to use it)"};
    return std::move(result_);
  }

 private:
  using Product = NvccWords::Product;

  Status read(const std::vector<std::string>& words, int depth) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word.starts_with('@') && word.size() > 1) {
        TRY(read_file(word.substr(1), depth));
        continue;
      }
      if (!word.starts_with('-') || word == "-") {
        result_.inputs.push_back(word);
        continue;
      }
      if (word == "--version" || word == "-V") {
        result_.product = Product::version;
        continue;
      }
      if (word == "--toolkit") {
        result_.product = Product::toolkit;
        continue;
      }
      Found found = find_option(word);
      if (found.option == nullptr) {
        if (!forwards_) return unknown(word);
        result_.host_words.push_back(word);
        continue;
      }
      if (found.option->value != Value::none && !found.has_value) {
        if (i + 1 == words.size()) return Error{fmt::format("{} needs a value", word)};
        found.value = words[++i];
      }
      TRY(take(*found.option, word, found.value, depth));
    }
    return Done{};
  }

  Status read_file(const std::string& path, int depth) {
    if (depth > 8) return Error{fmt::format("{}: option files include each other", path)};
    std::istringstream text(TRY(grader::read_text_file(path, "option file")));
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    return read(words, depth + 1);
  }

  static Error unknown(const std::string& word) {
    if (word.starts_with("-W") || word.starts_with("-f") || word == "-pthread" ||
        word.starts_with("-m"))
      return {fmt::format(
          "unknown option {}: options of g++ follow -Xcompiler, as in -Xcompiler {}", word, word)};
    std::vector<std::string> known;
    const bool is_long = word.starts_with("--");
    for (const Option& option : options)
      known.push_back(
          fmt::format("{}{}", is_long ? "--" : "-", is_long ? option.long_name : option.name));
    const std::string name = word.substr(0, word.find('='));
    return {fmt::format("unknown option {}{}", name, grader::did_you_mean(name, known))};
  }

  void note(const std::string& text) {
    if (noted_.insert(text).second) result_.notes.push_back(text);
  }

  Status take(const Option& option, const std::string& word, const std::string& value, int depth) {
    switch (option.meaning) {
      case Meaning::compile: result_.product = Product::objects; break;
      case Meaning::compile_relocatable:
        result_.product = Product::objects;
        result_.relocatable = true;
        break;
      case Meaning::relocatable: result_.relocatable = value == "true"; break;
      case Meaning::preprocess: result_.product = Product::preprocessed; break;
      case Meaning::list_dependencies: list_dependencies("-M"); break;
      case Meaning::list_own_dependencies: list_dependencies("-MM"); break;
      case Meaning::with_dependencies: result_.dependencies = "-MD"; break;
      case Meaning::with_own_dependencies: result_.dependencies = "-MMD"; break;
      case Meaning::dependency_file: result_.dependency_file = value; break;
      case Meaning::dependency_target: result_.dependency_target = value; break;
      case Meaning::phony_targets: result_.phony_targets = true; break;
      case Meaning::device_link: result_.device_link = true; break;
      case Meaning::output: result_.output = value; break;
      case Meaning::output_folder: result_.output_folder = value; break;
      case Meaning::include: append(result_.include_dirs, list_of(value)); break;
      case Meaning::system_include: append(result_.include_dirs, list_of(value)); break;
      case Meaning::pre_include:
        for (const std::string& file : list_of(value))
          append(result_.words,
                 {"-include", file.find('/') == std::string::npos && !fs::exists(file)
                                  ? file
                                  : fs::absolute(file).lexically_normal().string()});
        break;
      case Meaning::define: result_.defines.push_back(value); break;
      case Meaning::undefine: append(result_.words, {"-U" + value}); break;
      case Meaning::library:
        for (const std::string& name : list_of(value)) take_library(name);
        break;
      case Meaning::library_dir: append(result_.library_dirs, list_of(value)); break;
      case Meaning::language:
        if (value != "cu" && value != "c" && value != "c++" && value != "none")
          return Error{fmt::format("-x {}: the languages are cu, c++ and c", value)};
        result_.language = value == "none" ? "" : value;
        break;
      case Meaning::standard:
        result_.standard = value;
        if (value.find("++03") != std::string::npos || value.find("++98") != std::string::npos) {
          result_.standard = "c++11";
          note(fmt::format("-std={}: compiled as c++11, the oldest that CUDA 13 accepts", value));
        }
        break;
      case Meaning::optimize: append(result_.host_words, {"-O" + value}); break;
      case Meaning::host: append(result_.host_words, list_of(value)); break;
      case Meaning::linker:
        for (const std::string& each : list_of(value))
          append(result_.link_words, {"-Xlinker", each});
        break;
      case Meaning::no_warnings: append(result_.host_words, {"-w"}); break;
      case Meaning::file_of_options:
        for (const std::string& file : list_of(value)) TRY(read_file(file, depth));
        break;
      case Meaning::forward:
      case Meaning::ignored: break;
      case Meaning::dry: result_.dry = true; break;
      case Meaning::verbose: result_.verbose = true; break;
      case Meaning::noted: note(fmt::format("{} has no effect: {}", word, option.reason)); break;
      case Meaning::refused: return Error{fmt::format("{}: {}", word, option.reason)};
    }
    return Done{};
  }

  void list_dependencies(const char* how) {
    result_.product = Product::dependencies;
    result_.dependencies = how;
  }

  void take_library(const std::string& name) {
    if (contains(own_libraries, name)) return;
    if (contains(missing_libraries, name))
      note(fmt::format("-l{} has no effect: histolab has no such library", name));
    else
      result_.inputs.push_back("-l" + name);
  }

  NvccWords result_;
  std::set<std::string> noted_;
  bool forwards_ = false;
};

}  // namespace

Result<NvccWords> parse_nvcc(const std::vector<std::string>& words) {
  return Parser().parse(words);
}

InputKind kind_of(const NvccWords& words, const std::string& input) {
  if (input.starts_with("-l")) return InputKind::library;
  const std::string suffix = fs::path(input).extension().string();
  if (suffix == ".o" || suffix == ".a" || suffix == ".so" || suffix == ".obj")
    return InputKind::binary;
  if (words.language == "cu" || (words.language.empty() && suffix == ".cu")) return InputKind::cuda;
  if (words.language == "c" || (words.language.empty() && suffix == ".c")) return InputKind::c;
  if (words.language == "c++" || suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx" ||
      suffix == ".C")
    return InputKind::cpp;
  return InputKind::unknown;
}

}  // namespace histolab::cli
