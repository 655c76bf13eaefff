#include "grader/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace histolab::grader {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

kernels::KernelSignature signature_of(const LabSpec& lab) {
  using Parameter = kernels::KernelSignature::Parameter;
  kernels::KernelSignature signature;
  signature.name = lab.kernel;
  signature.declaration = lab.declaration;
  for (const KernelArgument& argument : lab.arguments)
    signature.parameters.push_back(argument.kind == KernelArgument::Kind::length ? Parameter::word
                                                                                 : Parameter::pointer);
  for (const ExportSpec& exported : lab.exports) signature.exports.push_back(exported.name);
  return signature;
}

std::vector<kernels::Argument> arguments_of(const LabSpec& lab, std::uint64_t length) {
  std::vector<kernels::Argument> arguments;
  for (const KernelArgument& spec : lab.arguments) {
    kernels::Argument& argument = arguments.emplace_back();
    argument.name = spec.name;
    argument.element_bytes = spec.element_bytes;
    using Kind = kernels::Argument::Kind;
    argument.kind = spec.kind == KernelArgument::Kind::input ? Kind::input : spec.kind == KernelArgument::Kind::output ? Kind::output : Kind::word;
    if (spec.kind == KernelArgument::Kind::length) argument.word = static_cast<std::uint32_t>(length);
  }
  return arguments;
}

kernels::LaunchConfig config_of(const LabSpec& lab, std::uint32_t grid, std::uint32_t block) {
  return {{grid, 1, 1}, {block, 1, 1}, lab.launch.dynamic_shared_bytes, lab.launch.shared_opt_in, lab.launch.profile};
}

Result<Exports> exports_of(const LabSpec& lab, const kernels::Compiled& compiled) {
  Exports values;
  for (const ExportSpec& spec : lab.exports) {
    const auto found = compiled.exports.find(spec.name);
    const std::uint32_t value = found == compiled.exports.end() ? spec.fallback : found->second;
    if (value < spec.min || value > spec.max)
      return Error{fmt::format("{} is {}, but the lab allows {} to {}", spec.name, value, spec.min, spec.max)};
    values[spec.name] = value;
  }
  return values;
}

std::uint32_t grid_of(const LabSpec& lab, const Exports& exports, std::uint64_t length, std::uint32_t block,
                      std::uint32_t fixed) {
  std::uint64_t share = block;
  if (lab.launch.grid == LaunchRule::Grid::fixed) return std::max(1u, fixed);
  if (lab.launch.grid == LaunchRule::Grid::per_coarse_element) {
    const auto factor = exports.find(lab.launch.factor);
    if (factor != exports.end()) share *= factor->second;
  }
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, ceil_div(length, share)));
}

std::uint32_t default_fixed_grid(std::uint64_t length, std::uint32_t block) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(length / (std::uint64_t{block} * 16), 1, 64));
}

std::uint64_t step_budget(std::uint64_t length, std::uint64_t threads) {
  const std::uint64_t share = ceil_div(length, std::max<std::uint64_t>(1, threads));
  return std::max<std::uint64_t>(1 << 17, 1000 * (4 * share + 64));
}

std::uint64_t case_seed(std::uint64_t seed, const std::string& lab, const std::string& case_id) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (int shift = 0; shift < 64; shift += 8) add(static_cast<unsigned char>(seed >> shift));
  for (const std::string& text : {lab, case_id}) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(0);
  }
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return (hash ^ (hash >> 31)) >> 32;
}

}  // namespace histolab::grader
