#include "kernels/worker/explaining/not_yet.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>

#include "kernels/worker/compiling/compiler_words.h"
#include "kernels/worker/source/source_text.h"
#include "kernels/worker/source/source_tokens.h"
#include "reference/edit_distance.h"

namespace histolab::kernels::worker {
namespace {

// In messages about a name that no header declares, or that no library defines.
constexpr std::string_view unknown_name_words[] = {
    "not declared",        "not been declared", "does not name a type", "is not a namespace-name",
    "undefined reference", "has no member",     "incomplete type",      "is not a template"};

constexpr const char* textures_instead =
    "the harness gives the kernel plain pointers, so read data[i] or __ldg(&data[i])";

bool is_of_textures(const std::string& name) {
  static const std::regex textures(
      R"((tex|surf)([123]D|Cubemap)\w*|texture|surface|cuda(Texture|Surface)Object_t)"
      R"(|cuda(Texture|ReadMode|Array|Surface)\w*|(texture|surface)_\w+\.h(pp)?)");
  return std::regex_match(name, textures);
}

std::string header_message(const std::string& name) {
  const char* instead = "write the kernel without it";
  if (name.starts_with("cooperative_groups/"))
    instead =
        "the emulator has <cooperative_groups.h>, <cooperative_groups/reduce.h> and "
        "<cooperative_groups/scan.h>";
  if (name.starts_with("cuda/"))
    instead =
        "from that library the emulator has <cuda/atomic>, <cuda/cmath>, <cuda/std/array>, "
        "<cuda/std/span> and a few more";
  if (name.starts_with("helper_cuda"))
    instead = "a submission contains device code only, so remove it";
  if (is_of_textures(name)) instead = textures_instead;
  return fmt::format(
      "this version of the emulator does not have <{}> yet. Your code may be valid CUDA, but it "
      "cannot run here: {}",
      name, instead);
}

std::string name_message(const std::string& name, const char* what, const char* instead) {
  return fmt::format(
      "`{}` is CUDA, but this version of the emulator does not have {} yet. Your code may be "
      "correct, but it cannot run here: {}",
      name, what, instead);
}

std::string assembly_message() {
  return name_message("asm", "inline PTX", "write it in CUDA C++ instead");
}

// Returns whether g++'s message suggests another name that differs by a slip of the keyboard. If
// the digits differ, it is another function of CUDA.
bool is_misspelt(const std::string& name, const std::string& message) {
  constexpr std::size_t most_slips = 2;
  static const std::regex suggestion("did you mean ['`](\\w+)['`]");
  const auto digits = [](std::string text) {
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    return text;
  };
  std::smatch match;
  if (!std::regex_search(message, match, suggestion)) return false;
  const std::string other = match[1].str();
  return digits(name) == digits(other) && reference::edit_distance(name, other) <= most_slips;
}

// Returns the message for an undeclared name, or nullopt if it is not a known name of CUDA.
std::optional<std::string> about(const std::string& name) {
  static const std::regex before_volta(R"(__(shfl(_up|_down|_xor)?|ballot|any|all))");
  static const std::regex libraries(R"(nvcuda|cub|thrust)");
  static const std::regex halves(
      R"((__|nv_|__nv_)?half2?|__half2?_raw|CUDART_\w+_FP16|__half2?2\w+)"
      R"(|__half(s2half2|_as_u?short)|__u?short_as_half|__\w+2half2?(_r[nzud])?)"
      R"(|__(low|high|lows|highs)2(half2?|float)|__lowhigh2highlow)"
      R"(|__hb?(eq|ne|le|ge|lt|gt)u?2?(_mask)?|__h(add|sub|mul)2?(_rn|_sat)?)"
      R"(|__hfma2?(_sat|_relu)?|__hcmadd|__h2?div|__h(neg|abs|isnan)2?|__hisinf)"
      R"(|__h(max|min)2?(_nan)?)"
      R"(|h2?(r?sqrt|rcp|exp(2|10)?|log(2|10)?|sin|cos|tanh|ceil|floor|rint|trunc))");
  static const std::regex types(R"(__nv_bfloat16\w*|__nv_fp8\w*)");
  static const std::regex others(
      R"(__isConstant|__isGridConstant|__cvta_\w+|__pipeline_\w+|__nv_\w+|__prof_trigger|__brkpt)"
      R"(|__(f|d)\w+2_r[nzud]|__tanhf)"
      R"(|__reduce_\w+|__cluster_\w+|globaltimer|(sin|cos|sincos)pif?|(erf(c?inv|cx))"
      R"(|norm(cdf|cdfinv)?|[jy][01n]|rcbrt|rhypot|l?gamma|tgamma)f?)");
  if (std::regex_match(name, before_volta))
    return fmt::format(
        "`{0}` is no longer in CUDA. Use {0}_sync, with the mask of the participating lanes as its "
        "first argument",
        name);
  if (name == "cooperative_groups")
    return "`cooperative_groups` is declared in a header. Write #include <cooperative_groups.h>";
  if (name == "cuda")
    return "`cuda` is declared in headers. Include the one that declares what you use, such as "
           "<cuda/atomic>, <cuda/cmath> or <cuda/std/span>";
  if (name == "__assume") return "`__assume` belongs to another compiler. Write `__builtin_assume`";
  if (is_of_textures(name)) return name_message(name, "textures and surfaces", textures_instead);
  if (std::regex_match(name, halves))
    return fmt::format("`{}` is declared in a header. Write #include <cuda_fp16.h>", name);
  if (std::regex_match(name, libraries))
    return name_message(name, "that library", "write the kernel without it");
  if (std::regex_match(name, types))
    return name_message(name, "that type", "use float, int or unsigned int instead");
  if (std::regex_match(name, others))
    return name_message(name, "that function", "write it in plain C++ instead");
  return std::nullopt;
}

// The header of the emulator that declares a name of cuda:: or cuda::std::; empty if none does.
std::string header_of(const std::string& name, bool of_std) {
  struct Row {
    bool of_std;
    const char *names, *header;
  };
  static constexpr Row rows[] = {
      {false, "ceil_div|round_(up|down)|ilog(2|10)", "cuda/cmath"},
      {false, "atomic(_ref|_thread_fence)?|thread_scope\\w*|memory_order\\w*", "cuda/atomic"},
      {true, "atomic(_ref|_thread_fence)?|memory_order\\w*", "cuda/std/atomic"},
      {true, "span|dynamic_extent|as_(writable_)?bytes", "cuda/std/span"},
      {true, "array|to_array", "cuda/std/array"},
      {true, "u?int(_least|_fast)?(8|16|32|64)_t|u?int(max|ptr)_t", "cuda/std/cstdint"},
      {true, "size_t|ptrdiff_t|byte|nullptr_t", "cuda/std/cstddef"},
      {true, "numeric_limits", "cuda/std/limits"},
      {true, "pair|make_pair|move|forward|swap|exchange|declval|(make_)?(integer|index)_sequence",
       "cuda/std/utility"},
      {true, "tuple|make_tuple|tie|get|apply", "cuda/std/tuple"},
      {true, "popcount|bit_(cast|ceil|floor|width)|has_single_bit|rot[lr]|count[lr]_(zero|one)",
       "cuda/std/bit"},
      {true,
       "plus|minus|multiplies|less(_equal)?|greater(_equal)?|equal_to|bit_(and|or|xor)|identity",
       "cuda/std/functional"},
      {true,
       "integral|unsigned_integral|signed_integral|floating_point|same_as|convertible_to|invocable",
       "cuda/std/concepts"},
      {true,
       "(is|remove|add|make)_\\w+|enable_if\\w*|conditional\\w*|common_type\\w*|decay\\w*|integral_"
       "constant|(true|false)_type|void_t|underlying_type\\w*",
       "cuda/std/type_traits"},
      {true,
       "abs|f(abs|min|max|mod|loor)|ceil|round|trunc|rint|sqrt|cbrt|pow|exp2?|log(2|10)?|sin|cos|"
       "tan|isnan|isinf|isfinite",
       "cuda/std/cmath"}};
  for (const Row& row : rows)
    if (row.of_std == of_std && std::regex_match(name, std::regex(row.names))) return row.header;
  return {};
}

// Returns the message for a name that is missing in a namespace of which the emulator has a part.
std::optional<std::string> about_member(const std::string& name, const std::string& space,
                                        const std::vector<SourceText::Include>& includes) {
  static const std::regex groups(
      R"((this_)?(cluster|multi_grid)(_group)?|memcpy_async|wait(_prior)?)"
      R"(|(in|ex)clusive_scan_update|reduce_(update|store)_async|invoke_one(_broadcast)?)"
      R"(|block_tile_memory|experimental)");
  static const std::regex reduction("reduce|plus|less|greater|bit_(and|or|xor)"),
      scan("(in|ex)clusive_scan");
  const bool of_groups =
      space == "cooperative_groups" || space == "cg";  // g++ prints an alias unchanged
  const auto needs = [&](const std::string& header) {
    return fmt::format("`{}::{}` needs #include <{}>", space, name, header);
  };
  if (of_groups && std::regex_match(name, reduction)) return needs("cooperative_groups/reduce.h");
  if (of_groups && std::regex_match(name, scan)) return needs("cooperative_groups/scan.h");
  if (of_groups && std::regex_match(name, groups))
    return name_message(space + "::" + name, "that part of cooperative groups",
                        "use thread_block, tiles and coalesced_threads() instead");
  if (space != "cuda" && !space.starts_with("cuda::")) return std::nullopt;
  const std::string header = header_of(name, space == "cuda::std");
  const bool is_included = std::ranges::any_of(
      includes, [&](const SourceText::Include& each) { return each.name == header; });
  if (!header.empty() && !is_included) return needs(header);
  static const std::regex synchronization(
      R"(barrier|latch|(counting|binary)_semaphore|pipeline\w*|memcpy_async|annotated_ptr|std)"
      R"(|device|ptx|atomic_flag\w*)");
  static const std::regex others(
      R"(bit_reverse|bitfield_(insert|extract)|bitmask|warp_shuffle_\w+|m(ini|axi)mum)"
      R"(|proclaim_\w+|access_property|\w+_ref|mr)");
  const bool synchronizes = std::regex_match(name, synchronization);
  if (space != "cuda::std" && !synchronizes && !std::regex_match(name, others)) return std::nullopt;
  return name_message(space + "::" + name, "that part of the library",
                      synchronizes
                          ? "use cuda::atomic_ref, atomicAdd() or another atomic function instead"
                          : "write the kernel without it");
}

}  // namespace

bool is_cuda_header(const std::string& name) {
  static const std::regex cuda(
      R"((cooperative_groups|cuda|cub|thrust|nv|crt|curand|nvtx3|nvfunctional)/[\w/]+(\.[\w.]+)?)"
      R"(|(cooperative_groups|cuda_|curand|cublas|cufft|cusparse|cusolver|device_|sm_\d|math_)"
      R"(|texture_|surface_|vector_|builtin_types)"
      R"(|channel_descriptor|driver_|host_|common_functions|library_types|cuComplex)"
      R"(|cudaProfiler|nvfunctional|mma\.|helper_cuda|nvrtc)[\w.]*)");
  return std::regex_match(name, cuda);
}

bool is_unsupported(const Diagnostic& diagnostic) {
  return diagnostic.message.starts_with("not supported yet: ");
}

std::string unsupported_message(const std::string& name) {
  return fmt::format("not supported yet: {}. Your code may be valid CUDA, but it cannot run here",
                     name);
}

std::vector<Diagnostic> refuse_not_yet(const std::string& text, const std::string& include_dir) {
  std::vector<Diagnostic> diagnostics;
  const SourceText source(text);
  for (const SourceText::Include& include : source.includes()) {
    if (diagnostics.size() == most_diagnostics) break;
    std::error_code ignored;
    if (include.name.size() > 200 || !is_cuda_header(include.name) ||
        std::filesystem::exists(include_dir + "/" + include.name, ignored))
      continue;
    diagnostics.push_back({Severity::error, include.line, 0, header_message(include.name)});
  }
  const std::vector<Token> tokens = code_tokens(text);
  for (std::size_t at = 0; at < tokens.size() && diagnostics.size() < most_diagnostics; ++at)
    if (is_assembly(tokens, at))
      diagnostics.push_back({Severity::error, tokens[at].line, 0, assembly_message()});
  return diagnostics;
}

void explain_unsupported(std::vector<Diagnostic>& diagnostics) {
  static const std::regex undeclared(
      R"(['`](cuda[A-Z]\w*|CU[a-z]\w+|nvrtc\w+|nvtx\w+|__nv_\w+|__NV_\w+)"
      R"(|(?:curand|cublas|cufft|cusparse|cusolver|nccl)\w*|thrust|cub|tex[123]D\w*|texture)"
      R"(|surface|cu(?:Init|Mem|Ctx|Device|Module|Launch|Stream|Event|Func|Graph|Tex|Array|Link))"
      R"(\w*)['`])");
  static const std::regex no_file(R"(^(\S+): No such file or directory)");
  for (Diagnostic& diagnostic : diagnostics) {
    std::smatch match;
    const bool is_header = std::regex_search(diagnostic.message, match, no_file) &&
                           is_cuda_header(match[1].str()) && !match[1].str().starts_with("helper_");
    const bool is_name = !is_header && std::regex_search(diagnostic.message, match, undeclared) &&
                         std::ranges::any_of(unknown_name_words, [&](std::string_view words) {
                           return diagnostic.message.find(words) != std::string::npos;
                         });
    if (!is_header && !is_name) continue;
    const std::string name = match[1].str();
    if (is_name && is_misspelt(name, diagnostic.message)) continue;
    diagnostic.message = unsupported_message(is_header ? "<" + name + ">" : "`" + name + "`");
  }
}

void explain_not_yet(std::vector<Diagnostic>& diagnostics,
                     const std::vector<SourceText::Include>& includes) {
  static const std::regex undeclared(
      "'([^']+)'.* (not declared|not been declared|does not name a type|is not a "
      "namespace-name|must be available|declared void)");
  static const std::regex no_file(R"(^(\S+): No such file or directory)");
  static const std::regex not_a_member(
      R"('([^']+)' (?:is not a member of|in namespace|is not a class template in|does not name )"
      R"(a template type in) '([^']+)')");
  static const std::regex our_own_words(
      // in the headers
      R"((?:attribute error|static assertion failed): ((?:this version of the emulator does not )"
      R"(have|CUDA has|atomicAdd on a vector type) .*)$)");
  for (Diagnostic& diagnostic : diagnostics) {
    std::smatch match;
    if (std::regex_search(diagnostic.message, match, no_file)) {
      if (is_cuda_header(match[1].str())) diagnostic.message = header_message(match[1].str());
    } else if (std::regex_search(diagnostic.message, match, our_own_words)) {
      diagnostic.message = match[1].str();
    } else if (std::regex_search(diagnostic.message, match, not_a_member)) {
      if (auto message = about_member(match[1].str(), match[2].str(), includes))
        diagnostic.message = std::move(*message);
    } else if (std::regex_search(diagnostic.message, match, undeclared)) {
      if (auto message = about(match[1].str())) diagnostic.message = std::move(*message);
    } else if (diagnostic.message == assembler_refused ||
               diagnostic.message.find("'asm'") != std::string::npos) {
      diagnostic.message = assembly_message();
    }
  }
}

}  // namespace histolab::kernels::worker
