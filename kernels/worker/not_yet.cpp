#include "kernels/worker/not_yet.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <regex>

#include "kernels/worker/compiler_words.h"
#include "kernels/worker/source_text.h"
#include "kernels/worker/source_tokens.h"

namespace histolab::kernels::worker {
namespace {

bool is_cuda_header(const std::string& name) {
  static const std::regex cuda(
      R"((cooperative_groups|cuda|cub|thrust|nv|crt|curand|nvtx3|nvfunctional)/[\w/]+(\.[\w.]+)?)"
      R"(|(cooperative_groups|cuda_|curand|cublas|cufft|cusparse|cusolver|device_|sm_\d|math_|texture_|surface_|vector_|builtin_types)"
      R"(|channel_descriptor|driver_|host_|common_functions|library_types|cuComplex|cudaProfiler|nvfunctional|mma\.|helper_cuda|nvrtc)[\w.]*)");
  return std::regex_match(name, cuda);
}

std::string header_message(const std::string& name) {
  const char* instead = "write the kernel without it";
  if (name.starts_with("cooperative_groups/")) instead = "of cooperative groups there are <cooperative_groups.h> and <cooperative_groups/reduce.h>";
  if (name.starts_with("cuda/")) instead = "of that library there is <cuda/atomic>";
  if (name.starts_with("helper_cuda")) instead = "a submission holds device code only, so leave it out";
  return fmt::format("this version of the emulator does not have <{}> yet. Your code may be right CUDA, but it cannot be run here: {}", name, instead);
}

std::string name_message(const std::string& name, const char* what, const char* instead) {
  return fmt::format("`{}` is CUDA, but this version of the emulator does not have {} yet. Your code may be right, but it cannot be run "
                     "here: {}", name, what, instead);
}

std::string assembly_message() { return name_message("asm", "inline PTX", "write it in CUDA C++ instead"); }

// What to say of a name that is not declared; nullopt when it is none of CUDA's that we know.
std::optional<std::string> about(const std::string& name) {
  static const std::regex before_volta(R"(__(shfl(_up|_down|_xor)?|ballot|any|all))");
  static const std::regex libraries(R"(nvcuda|cub|thrust)");
  static const std::regex types(R"(__half2?|half2?|__nv_bfloat16\w*|__nv_fp8\w*|cudaTextureObject_t|cudaSurfaceObject_t)");
  static const std::regex others(
      R"(__isConstant|__isGridConstant|__cvta_\w+|__pipeline_\w+|__nv_\w+|__prof_trigger|__brkpt|__(f|d)\w+2_r[nzud]|__tanhf|__half\w+)"
      R"(|__reduce_\w+|tex[123]D\w*|surf[123]D\w*|__cluster_\w+|globaltimer|(sin|cos|sincos)pif?|(erf(c?inv|cx)|norm(cdf|cdfinv)?|[jy][01n]|rcbrt|rhypot|l?gamma|tgamma)f?)");
  if (std::regex_match(name, before_volta))
    return fmt::format("`{0}` is no longer in CUDA. Use {0}_sync, with the mask of the lanes that take part as its first argument", name);
  if (name == "cooperative_groups") return "`cooperative_groups` is declared in a header. Write #include <cooperative_groups.h>";
  if (name == "cuda") return "`cuda` is declared in headers. Write the #include; of that library this version of the emulator has <cuda/atomic>: atomic_ref, atomic and atomic_thread_fence";
  if (std::regex_match(name, libraries)) return name_message(name, "that library", "write the kernel without it");
  if (std::regex_match(name, types)) return name_message(name, "that type", "use float, int or unsigned int instead");
  if (std::regex_match(name, others)) return name_message(name, "that function", "write it in plain C++ instead");
  return std::nullopt;
}

// What is missing in a namespace that the emulator has a part of.
std::optional<std::string> about_member(const std::string& name, const std::string& space) {
  static const std::regex groups(
      R"((this_)?(cluster|multi_grid)(_group)?|memcpy_async|wait(_prior)?|(in|ex)clusive_scan(_update)?|reduce_(update|store)_async|invoke_one(_broadcast)?)"
      R"(|block_tile_memory|experimental)");
  static const std::regex atomics(R"(atomic(_flag)?|barrier|latch|(counting|binary)_semaphore|pipeline\w*|memcpy_async|annotated_ptr|std|device|ptx)");
  static const std::regex reduction("reduce|plus|less|greater|bit_(and|or|xor)");
  const bool of_groups = space == "cooperative_groups" || space == "cg";  // g++ gives an alias as it stands
  if (of_groups && std::regex_match(name, reduction)) return fmt::format("`{}::{}` needs #include <cooperative_groups/reduce.h>", space, name);
  if (of_groups && std::regex_match(name, groups))
    return name_message(space + "::" + name, "that part of cooperative groups", "use thread_block, tiles and coalesced_threads() instead");
  if (space.starts_with("cuda") && std::regex_match(name, atomics))
    return name_message(space + "::" + name, "that part of the library", "use cuda::atomic_ref, or atomicAdd() and its kin, instead");
  return std::nullopt;
}

}  // namespace

std::vector<Diagnostic> refuse_not_yet(const std::string& text, const std::string& include_dir) {
  std::vector<Diagnostic> diagnostics;
  const SourceText source(text);
  for (const SourceText::Include& include : source.includes()) {
    if (diagnostics.size() == most_diagnostics) break;
    std::error_code ignored;
    if (include.name.size() > 200 || !is_cuda_header(include.name) || std::filesystem::exists(include_dir + "/" + include.name, ignored)) continue;
    diagnostics.push_back({Severity::error, include.line, 0, header_message(include.name)});
  }
  const std::vector<Token> tokens = code_tokens(text);
  for (std::size_t at = 0; at < tokens.size() && diagnostics.size() < most_diagnostics; ++at)
    if (is_assembly(tokens, at)) diagnostics.push_back({Severity::error, tokens[at].line, 0, assembly_message()});
  return diagnostics;
}

void explain_not_yet(std::vector<Diagnostic>& diagnostics) {
  static const std::regex undeclared("'([^']+)'.* (not declared|not been declared|does not name a type|is not a namespace-name|must be available|declared void)");
  static const std::regex no_file(R"(^(\S+): No such file or directory)");
  static const std::regex not_a_member(R"('([^']+)' is not a member of '([^']+)')");
  static const std::regex our_own_words(R"((?:attribute error|static assertion failed): ((?:this version of the emulator does not have|CUDA has) .*)$)");  // in the headers
  for (Diagnostic& diagnostic : diagnostics) {
    std::smatch match;
    if (std::regex_search(diagnostic.message, match, no_file)) {
      if (is_cuda_header(match[1].str())) diagnostic.message = header_message(match[1].str());
    } else if (std::regex_search(diagnostic.message, match, our_own_words)) {
      diagnostic.message = match[1].str();
    } else if (std::regex_search(diagnostic.message, match, not_a_member)) {
      if (auto message = about_member(match[1].str(), match[2].str())) diagnostic.message = std::move(*message);
    } else if (std::regex_search(diagnostic.message, match, undeclared)) {
      if (auto message = about(match[1].str())) diagnostic.message = std::move(*message);
    } else if (diagnostic.message == assembler_refused || diagnostic.message.find("'asm'") != std::string::npos) {
      diagnostic.message = assembly_message();
    }
  }
}

}  // namespace histolab::kernels::worker
