// Loaders of kernels: a student's source, compiler messages that quote it, and compiler output.
#include <span>

#include "grader/batch/likeness.h"
#include "grader/batch/same_source.h"
#include "grader/lab/exported_value.h"
#include "kernels/emulator/code/code_section.h"
#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/code/flow_graph.h"
#include "kernels/emulator/code/kernel_symbol.h"
#include "kernels/emulator/code/object_file.h"
#include "kernels/gpu/cubin.h"
#include "kernels/gpu/ptxas_report.h"
#include "kernels/worker/compiling/call_graph.h"
#include "kernels/worker/compiling/compiler_words.h"
#include "kernels/worker/compiling/local_arrays.h"
#include "kernels/worker/compiling/wide_accesses.h"
#include "kernels/worker/explaining/explain.h"
#include "kernels/worker/explaining/not_yet.h"
#include "kernels/worker/source_rules/forbidden.h"
#include "kernels/worker/source_rules/host_code.h"
#include "kernels/worker/source_rules/source_rules.h"
#include "tools/loader_fuzzers/loaders.h"

namespace histolab::fuzzing {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr const char* include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include";
constexpr const char* some_kernel =
    "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n  "
    "histo[0]++;\n}\n";

Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void source(std::string_view bytes) {
  namespace worker = kernels::worker;
  const std::string text(bytes);
  static_cast<void>(worker::forbidden_in(text, include_dir));
  static_cast<void>(worker::refuse_source(text));
  static_cast<void>(worker::refuse_not_yet(text, include_dir));
  static_cast<void>(worker::host_code_in_kernel(
      text, {{"histogram", "helper"}, {"helper", "main"}, {"helper", "vector", true}},
      {{"total", 3}}));
  static_cast<void>(worker::device_variables_set_by_code(text, {"total"}));
  std::vector<kernels::Finding> findings(1);
  findings[0].variable = "private_histo";
  findings[0].space = kernels::Space::shared;
  worker::locate(findings, text);
  worker::judge_ended_lanes(findings, text, "histogram");
  static_cast<void>(batch::sharing_key(text));
  static_cast<void>(kernels::without_comments(text));
  batch::LikenessSearch search{0, some_kernel, 2};
  search.add(0, text);
  search.add(1, some_kernel);
  static_cast<void>(search.found());
  static_cast<void>(grader::with_export(text, "coarsening_factor", 8));
}

void preprocessed(std::string_view bytes) {
  static_cast<void>(
      kernels::worker::forbidden_in_preprocessed(std::string(bytes), some_kernel, "/shim"));
}

// Messages of g++ and the assembler, translated to CUDA's terms.
void compiler_words(std::string_view bytes) {
  namespace worker = kernels::worker;
  const std::string output(bytes);
  std::vector<kernels::Diagnostic> said = worker::parse_diagnostics(output, "kernel.cu");
  worker::explain_not_yet(said);
  worker::explain(said, some_kernel, {"histogram"});
  static_cast<void>(worker::assembler_diagnostics(output));
  static_cast<void>(worker::machine_complaint(output));
}

void compiler_dump(std::string_view bytes) {
  namespace worker = kernels::worker;
  static_cast<void>(worker::calls_below(bytes, "histogram"));
  static_cast<void>(worker::set_before_launch(bytes));
  static_cast<void>(worker::wide_accesses(bytes, "kernel.cu"));
  static_cast<void>(worker::indexed_arrays(bytes, "kernel.cu"));
}

// An object file of the emulator, up to reading code and debug information.
void object(std::string_view bytes) {
  namespace emulator = kernels::emulator;
  const auto file = emulator::ObjectFile::parse(as_bytes(bytes));
  if (!file) return;
  using enum kernels::KernelSignature::Parameter;
  static_cast<void>(emulator::find_kernel(
      *file, {"histogram", {pointer, word, pointer}, "__global__ void histogram(...)", {}}));
  for (std::uint32_t number = 0; number < file->sections().size(); ++number) {
    const emulator::Section& section = file->sections()[number];
    if (!section.executable || section.data == nullptr) continue;
    const emulator::CodeSection code(*file, number);
    emulator::CodeInstruction next;
    for (std::uint32_t at = 0; code.decode(at, emulator::Detail::operands, next); at = next.end) {
      static_cast<void>(next.relocations_are_fields());
      static_cast<void>(next.target());
      static_cast<void>(next.own_place());
      for (const emulator::Operand& operand : next.operands())
        if (operand.type == emulator::Operand::Type::memory)
          static_cast<void>(next.place_of(operand));
    }
    static_cast<void>(
        emulator::decode_flow({section.data, static_cast<std::size_t>(section.bytes)}, 0));
  }
  static_cast<void>(emulator::source_places(file->image(), 0, 4096));
}

void cubin(std::string_view bytes) { static_cast<void>(kernels::gpu::read_cubin(as_bytes(bytes))); }

void ptxas_report(std::string_view bytes) {
  static_cast<void>(kernels::gpu::read_ptxas_report(bytes));
}

}  // namespace

std::vector<Loader> kernel_loaders() {
  return {
      {"source",
       source,
       {"labs/*/solution.cu", "grader/messages/missing-*.cu", "grader/attacks/hides-*/kernel.cu"}},
      {"preprocessed", preprocessed, {"labs/0*/solution.cu"}},
      {"compiler_words", compiler_words},
      {"compiler_dump", compiler_dump},
      {"object", object},
      {"cubin", cubin},
      {"ptxas_report", ptxas_report},
  };
}

}  // namespace histolab::fuzzing
