#include "grader/lab/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"
#include "reference/fnv1a.h"
#include "reference/splitmix64.h"

namespace histolab::grader {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint32_t value_of(const Exports& exports, const std::string& name, std::uint32_t otherwise) {
  const auto found = exports.find(name);
  return found == exports.end() ? otherwise : found->second;
}

// Returns the shape that follows from the contract and these values. `fixed` is the grid for
// LaunchRule::Grid::fixed.
LaunchShape shape_with(const LabSpec& lab, std::size_t kernel, const reference::Binning& binning,
                       const Exports& exports, std::uint64_t length, std::uint32_t block,
                       std::uint32_t fixed) {
  const KernelSpec& spec = lab.kernels.at(kernel);
  LaunchShape shape;
  shape.kernel = kernel;
  shape.binning = binning;
  shape.length = length;
  shape.block = block;
  const std::uint64_t share =
      std::uint64_t{block} * (spec.launch.grid == LaunchRule::Grid::per_coarse_element
                                  ? value_of(exports, spec.launch.factor, 1)
                                  : 1);
  shape.grid =
      spec.launch.grid == LaunchRule::Grid::fixed
          ? std::max(1u, fixed)
          : static_cast<std::uint32_t>(std::max<std::uint64_t>(1, ceil_div(length, share)));
  shape.copies = value_of(exports, spec.copies, 1);
  shape.dynamic_shared_bytes =
      value_of(exports, spec.launch.shared_export,
               spec.launch.dynamic_shared_bytes + spec.launch.shared_bytes_per_bin * binning.bins);
  return shape;
}

// Explains a value like 4294967295, which the student wrote as -1.
std::string below_zero(std::uint32_t value) {
  const auto with_sign = static_cast<std::int32_t>(value);
  return with_sign < 0 && with_sign > -1000 ? fmt::format(" ({} as an unsigned number)", with_sign)
                                            : std::string();
}

}  // namespace

std::vector<kernels::KernelSignature> signatures_of(const LabSpec& lab) {
  using Parameter = kernels::KernelSignature::Parameter;
  std::vector<kernels::KernelSignature> signatures;
  for (const KernelSpec& kernel : lab.kernels) {
    kernels::KernelSignature& signature = signatures.emplace_back();
    signature.name = kernel.name;
    signature.declaration = kernel.declaration;
    for (const KernelArgument& argument : kernel.arguments)
      signature.parameters.push_back(is_buffer(argument.kind) ? Parameter::pointer
                                                              : Parameter::word);
    signature.is_of_program = lab.program;
    signature.tells_local_memory = lab.has_check(CheckKind::registers_only);
    for (const ExportSpec& exported : lab.exports) signature.exports.push_back(exported.name);
  }
  return signatures;
}

std::vector<kernels::Argument> arguments_of(const LabSpec& lab, const LaunchShape& shape) {
  std::vector<kernels::Argument> arguments;
  for (const KernelArgument& spec : lab.kernels.at(shape.kernel).arguments) {
    kernels::Argument& argument = arguments.emplace_back();
    argument.name = spec.name;
    argument.element_bytes = spec.element_bytes;
    using Kind = kernels::Argument::Kind;
    switch (spec.kind) {
      case KernelArgument::Kind::input:
        argument.kind = Kind::input, argument.offset = shape.offset;
        break;
      case KernelArgument::Kind::output: argument.kind = Kind::output; break;
      case KernelArgument::Kind::length:
        argument.word = static_cast<std::uint32_t>(shape.length);
        break;
      case KernelArgument::Kind::bins: argument.word = shape.binning.bins; break;
      case KernelArgument::Kind::width: argument.word = shape.binning.width; break;
    }
  }
  return arguments;
}

kernels::LaunchConfig config_of(const LabSpec& lab, const LaunchShape& shape) {
  const LaunchRule& rule = lab.kernels.at(shape.kernel).launch;
  return {{shape.grid, 1, 1}, {shape.block, 1, 1}, shape.dynamic_shared_bytes,
          rule.shared_opt_in, rule.profile,        static_cast<std::uint32_t>(shape.kernel)};
}

std::string length_of(const LaunchShape& shape) {
  return counted(shape.length, shape.binning.sample_bytes() == 1 ? "byte" : "sample");
}

std::uint64_t input_bytes(const LaunchShape& shape) {
  return shape.length * shape.binning.sample_bytes();
}

std::uint64_t output_bytes(const LabSpec& lab, const LaunchShape& shape) {
  return std::uint64_t{shape.copies} * shape.binning.bins *
         reference::bytes_of(lab.kernels.at(shape.kernel).task.word);
}

LaunchShape shape_of(const LabSpec& lab, const CaseSpec& spec, const Exports& exports) {
  LaunchShape shape =
      shape_with(lab, spec.kernel, spec.binning, exports, spec.length, spec.block, spec.grid);
  shape.offset = spec.offset;
  return shape;
}

LaunchShape shape_of(const LabSpec& lab, const TimedCaseSpec& spec, const Exports& exports,
                     std::uint32_t multiprocessors) {
  const LaunchRule& rule = lab.kernels.at(spec.kernel).launch;
  const std::uint32_t block = value_of(exports, rule.timed_block, spec.block);
  const std::uint32_t grid = rule.timed_blocks.empty()
                                 ? spec.grid
                                 : multiprocessors * value_of(exports, rule.timed_blocks, 1);
  return shape_with(lab, spec.kernel, spec.binning, exports, spec.length, block, grid);
}

LaunchShape shape_of(const LabSpec& lab, std::size_t kernel, const Exports& exports,
                     std::uint64_t length, std::uint32_t block) {
  return shape_with(lab, kernel, lab.kernels.at(kernel).binning, exports, length, block,
                    default_fixed_grid(length, block));
}

Result<Exports> exports_of(const LabSpec& lab, const kernels::Compiled& compiled) {
  Exports values;
  for (const ExportSpec& spec : lab.exports) {
    const auto found = compiled.exports.find(spec.name);
    const std::uint32_t value = found == compiled.exports.end() ? spec.fallback : found->second;
    if (value < spec.min || value > spec.max)
      return Error{
          fmt::format("{} is {}{}, but the lab allows {} to {}. Export a value in that range",
                      spec.name, value, below_zero(value), spec.min, spec.max)};
    if (value % spec.multiple_of != 0)
      return Error{
          fmt::format("{} is {}, but the lab allows multiples of {} only. Export one from {} to {}",
                      spec.name, value, spec.multiple_of, spec.min, spec.max)};
    values[spec.name] = value;
  }
  return values;
}

std::uint32_t default_fixed_grid(std::uint64_t length, std::uint32_t block) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(length / (std::uint64_t{block} * 16), 1, 64));
}

std::uint64_t step_budget(std::uint64_t length, std::uint64_t threads) {
  const std::uint64_t share = ceil_div(length, std::max<std::uint64_t>(1, threads));
  return std::max<std::uint64_t>(1 << 17, 1000 * (4 * share + 64));
}

std::uint64_t case_seed(std::uint64_t seed, const std::string& lab, const std::string& case_id) {
  std::string hashed;
  for (int shift = 0; shift < 64; shift += 8) hashed += static_cast<char>(seed >> shift);
  for (const std::string& text : {lab, case_id}) (hashed += text) += '\0';
  return reference::splitmix64_mixed(reference::fnv1a(hashed)) >> 32;
}

}  // namespace histolab::grader
