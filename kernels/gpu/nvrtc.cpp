#include "kernels/gpu/nvrtc.h"

#include <fmt/format.h>
#include <nvrtc.h>

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

namespace histolab::kernels::gpu {
namespace {

constexpr const char* source_name = "kernel.cu";

// NVRTC has no headers of the C++ library. The parts that a kernel needs are built in (printf, the
// toolkit's sized integers) or short enough to be defined here.
struct Header {
  const char *name, *text;
};
constexpr const char* assertions =
    "#pragma once\n"
    "extern \"C\" __device__ void __assertfail(const char*, const char*, unsigned int, const "
    "char*, decltype(sizeof 0));\n"
    "#ifdef NDEBUG\n#define assert(e) ((void)0)\n#else\n"
    "#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, "
    "sizeof(char)))\n#endif\n";
constexpr const char* integers =
    "#pragma once\n"
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long "
    "int64_t;\n"
    "typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int "
    "uint32_t; typedef unsigned long long uint64_t;\n"
    "typedef unsigned long uintptr_t; typedef long intptr_t;\n"
    "namespace std {\n"
    "using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using "
    "::uint16_t; using ::uint32_t; using ::uint64_t;\n"
    "using ::uintptr_t; using ::intptr_t;\n}\n";
constexpr const char* sizes =
    "#pragma once\nnamespace std {\nusing size_t = decltype(sizeof 0); using ptrdiff_t = "
    "decltype((char*)0 - (char*)0); using nullptr_t = decltype(nullptr);\n}\n";
constexpr const char* limits =
    "#pragma once\n#define CHAR_BIT 8\n#define INT_MAX 2147483647\n#define INT_MIN (-INT_MAX - "
    "1)\n#define UINT_MAX 4294967295u\n"
    "#define UCHAR_MAX 255\n#define SCHAR_MAX 127\n#define SCHAR_MIN (-128)\n#define USHRT_MAX "
    "65535\n#define SHRT_MAX 32767\n";
// Names of <sys/types.h>. nvcc's headers include it on Linux, but NVRTC's do not.
constexpr const char* types =
    "#pragma once\n"
    "typedef unsigned char u_char; typedef unsigned short u_short, ushort; typedef unsigned int "
    "u_int, uint; typedef unsigned long u_long, ulong;\n"
    "typedef unsigned char u_int8_t; typedef unsigned short u_int16_t; typedef unsigned int "
    "u_int32_t; typedef unsigned long u_int64_t;\n"
    "typedef long ssize_t;\n";
constexpr const char* nothing = "#pragma once\n";
constexpr std::array headers = {Header{"assert.h", assertions},
                                Header{"cassert", assertions},
                                Header{"stdint.h", integers},
                                Header{"cstdint", integers},
                                Header{"limits.h", limits},
                                Header{"climits", limits},
                                Header{"stdio.h", nothing},
                                Header{"cstdio", nothing},
                                Header{"stddef.h", nothing},
                                Header{"cstddef", sizes},
                                Header{"math.h", nothing},
                                Header{"cmath", nothing},
                                Header{"stdlib.h", nothing},
                                Header{"cstdlib", nothing},
                                Header{"time.h", nothing},
                                Header{"ctime", nothing},
                                Header{"string.h", nothing},
                                Header{"cstring", nothing},
                                Header{"sys/types.h", types},
                                Header{"cuda_runtime.h", nothing},
                                Header{"device_launch_parameters.h", nothing}};

class Program {
 public:
  ~Program() {
    if (program_ != nullptr) nvrtcDestroyProgram(&program_);
  }
  nvrtcResult create(const std::string& text) {
    std::vector<const char*> texts, names;
    for (const Header& header : headers) {
      texts.push_back(header.text);
      names.push_back(header.name);
    }
    return nvrtcCreateProgram(&program_, text.c_str(), source_name, static_cast<int>(names.size()),
                              texts.data(), names.data());
  }
  nvrtcResult compile(const std::vector<std::string>& options) {
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    return nvrtcCompileProgram(program_, static_cast<int>(words.size()), words.data());
  }
  [[nodiscard]] std::string log() const {
    std::size_t bytes = 0;
    nvrtcGetProgramLogSize(program_, &bytes);
    std::string text(bytes, '\0');
    if (bytes > 0) nvrtcGetProgramLog(program_, text.data());
    return text.c_str();  // without the terminating zero
  }
  [[nodiscard]] std::string ptx() const {
    std::size_t bytes = 0;
    nvrtcGetPTXSize(program_, &bytes);
    std::string text(bytes, '\0');
    if (bytes > 0) nvrtcGetPTX(program_, text.data());
    return text;
  }
  [[nodiscard]] std::vector<std::uint8_t> cubin() const {
    std::size_t bytes = 0;
    nvrtcGetCUBINSize(program_, &bytes);
    std::vector<std::uint8_t> code(bytes);
    if (bytes > 0) nvrtcGetCUBIN(program_, reinterpret_cast<char*>(code.data()));
    return code;
  }

 private:
  nvrtcProgram program_ = nullptr;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

std::vector<Diagnostic> parse_nvrtc_log(const std::string& log) {
  // kernel.cu(4): warning #177-D: variable "x" was declared but never referenced
  static const std::regex head{
      R"(^([^()\s]+)\((\d+)\): (error|warning|catastrophic error)(?: #[0-9]+(?:-D)?)?: (.*)$)"};
  constexpr std::size_t indented = 2;  // indentation of the quoted source line and of its caret
  std::vector<Diagnostic> diagnostics;
  const std::vector<std::string> lines = lines_of(log);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch part;
    if (!std::regex_match(lines[i], part, head)) continue;
    Diagnostic diagnostic;
    diagnostic.severity = part[3] == "warning" ? Severity::note : Severity::error;
    diagnostic.line = part[1] == source_name ? std::stoi(part[2].str().substr(0, 9)) : 0;
    diagnostic.message = part[1] == source_name
                             ? part[4].str()
                             : fmt::format("in {}: {}", part[1].str(), part[4].str());
    for (std::size_t k = i + 1; k < lines.size() && !std::regex_match(lines[k], head); ++k) {
      const std::size_t caret = lines[k].find_first_not_of(' ');
      if (caret == std::string::npos || lines[k][caret] != '^' || lines[k].size() != caret + 1)
        continue;
      if (diagnostic.line > 0)
        diagnostic.column = static_cast<int>(caret - std::min(caret, indented)) + 1;
      break;
    }
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

Result<Compilation> compile_with_nvrtc(const std::string& text, int capability) {
  Program program;
  if (const nvrtcResult made = program.create(text); made != NVRTC_SUCCESS)
    return Error{fmt::format("NVRTC cannot start: {}", nvrtcGetErrorString(made))};
  // nvcc accepts a lambda in a kernel without __device__; NVRTC does so only with -default-device.
  // With that option, NVRTC does not report calls of host functions; the emulator does.
  std::vector<std::string> options = {fmt::format("-arch=sm_{}", capability),
                                      "-std=c++20",
                                      "-default-device",
                                      "-lineinfo",
                                      "--ptxas-options=-v",
                                      "-include=sys/types.h"};
  for (const char* folder : {HISTOLAB_CUDA_INCLUDE, HISTOLAB_CUDA_INCLUDE "/cccl"})
    options.push_back(fmt::format("-I{}", folder));
  const nvrtcResult result = program.compile(options);
  if (result == NVRTC_ERROR_INVALID_OPTION)
    return Error{fmt::format("NVRTC {} does not compile for sm_{}: {}", nvrtc_version(), capability,
                             program.log())};
  if (result != NVRTC_SUCCESS && result != NVRTC_ERROR_COMPILATION)
    return Error{fmt::format("NVRTC failed: {}; is the CUDA toolkit complete?",
                             nvrtcGetErrorString(result))};
  const std::string log = program.log();
  Compilation compilation;
  compilation.diagnostics = parse_nvrtc_log(log);
  compilation.resources = read_ptxas_report(log);
  if (result == NVRTC_SUCCESS) compilation.cubin = program.cubin();
  // A cooperative launch stores the address of the grid's barrier in %envreg registers. Only code
  // that waits for the grid reads them.
  compilation.is_cooperative = program.ptx().find("%envreg") != std::string::npos;
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  if (compilation.cubin.empty() &&
      std::none_of(compilation.diagnostics.begin(), compilation.diagnostics.end(), is_error))
    compilation.diagnostics.push_back(
        {Severity::error, 0, 0,
         log.empty() ? "the kernel does not compile for a GPU" : log.substr(0, 500)});
  return compilation;
}

Result<std::vector<int>> nvrtc_architectures() {
  int count = 0;
  if (nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS)
    return Error{"NVRTC does not report its GPU architectures"};
  std::vector<int> known(static_cast<std::size_t>(count));
  if (nvrtcGetSupportedArchs(known.data()) != NVRTC_SUCCESS)
    return Error{"NVRTC does not report its GPU architectures"};
  return known;
}

std::string nvrtc_version() {
  int major = 0, minor = 0;
  nvrtcVersion(&major, &minor);
  return fmt::format("{}.{}", major, minor);
}

}  // namespace histolab::kernels::gpu
