#include "grader/lessons/code_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/lab/launch_plan.h"
#include "grader/lessons/markdown.h"

namespace histolab::grader::lessons {
namespace {

// Variables that a piece of code may use. They are not const, since it may change them.
constexpr const char* usual_variables =
    "__shared__ unsigned int private_histo[bins]; "
    "unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, "
    "count = 0, accumulator = 0, old = 0; "
    "int letter = 0, bin = 0, previous_bin = -1; "
    "(void)private_histo, (void)i, (void)threads, (void)count, (void)accumulator, (void)old, "
    "(void)letter, (void)bin, (void)previous_bin; ";

bool is_file(const std::string& code) {
  return code.find("__global__") != std::string::npos ||
         code.find("__device__") != std::string::npos || code.find("#include") != std::string::npos;
}

// Returns the signatures of the lab's kernels. Pieces of code need no exports.
std::vector<kernels::KernelSignature> signatures(const LabSpec& lab) {
  std::vector<kernels::KernelSignature> wanted = signatures_of(lab);
  for (kernels::KernelSignature& signature : wanted) signature.exports.clear();
  return wanted;
}

// Returns empty definitions of the lab's other kernels.
std::string empty_kernels(const LabSpec& lab, const std::string& code) {
  std::string text;
  for (const KernelSpec& kernel : lab.kernels)
    if (code.find(" " + kernel.name + "(") == std::string::npos)
      text += kernel.declaration + " {}\n";
  return text;
}

// Returns the code in front of a piece as a single line, so that line N of the piece is line N + 1
// of the file.
std::string in_front(const LabSpec& lab, const KernelSpec& kernel) {
  std::string text = "constexpr unsigned int bins = 7; ";
  for (const ExportSpec& exported : lab.exports)
    text += fmt::format("constexpr unsigned int {} = {}; ", exported.name, exported.fallback);
  return text + kernel.declaration + " { { " + usual_variables + "{\n";
}

}  // namespace

Result<std::vector<PageProblem>> broken_code(kernels::Device& device, const LabSpec& lab,
                                             const std::string& path, std::string_view page) {
  std::vector<PageProblem> problems;
  for (const Block& block : blocks_of(page)) {
    const bool named = block.info.starts_with("cuda ");
    if (block.kind != BlockKind::fenced || (block.info != "cuda" && !named)) continue;
    const auto kernel = std::find_if(
        lab.kernels.begin(), lab.kernels.end(),
        [&](const KernelSpec& each) { return !named || each.name == block.info.substr(5); });
    if (kernel == lab.kernels.end()) {
      problems.push_back(
          {block.line, fmt::format("{} has no kernel {}", lab.name, block.info.substr(5))});
      continue;
    }
    const std::string code = code_of(block);
    const bool file = is_file(code);
    std::string text = file ? code : in_front(lab, *kernel) + code + "}}}\n";
    text += empty_kernels(lab, text);
    const kernels::Compiled compiled = TRY(device.compile({path, text}, signatures(lab)));
    if (compiled.ok) continue;
    const auto error = std::find_if(
        compiled.diagnostics.begin(), compiled.diagnostics.end(),
        [](const kernels::Diagnostic& each) { return each.severity == kernels::Severity::error; });
    const bool known = error != compiled.diagnostics.end() && error->line > 0;
    const int within = known ? error->line - (file ? 0 : 1) : 0;
    problems.push_back({block.line + within, fmt::format("this code does not compile: {}",
                                                         error != compiled.diagnostics.end()
                                                             ? error->message
                                                             : "the compiler gives no reason")});
  }
  return problems;
}

}  // namespace histolab::grader::lessons
