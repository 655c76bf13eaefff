#include "kernels/emulator/module/kernel_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/emulator/arch/symbols.h"

namespace histolab::kernels::emulator {

bool is_reserved(std::string_view name) {
  static constexpr std::string_view prefixes[] = {"__tsan_",  machine_symbol_prefix, "__sanitizer_",
                                                  "__ubsan_", "__cyg_profile_",      "histolab_"};
  return std::ranges::any_of(prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::vector<std::string> reserved_names(const ObjectFile& object, const KernelParts* reached) {
  std::vector<std::string> mistakes;
  for (const Symbol& symbol : object.symbols())
    if (symbol.section != 0 && is_reserved(symbol.name) &&
        (reached == nullptr || reached->is_reachable(symbol.section)))
      mistakes.push_back(fmt::format("the name `{}` is reserved for the emulator. Use another one",
                                     symbol.name.substr(0, 60)));
  return mistakes;
}

std::vector<bool> reachable_sections(const ObjectFile& object, std::vector<std::uint32_t> roots) {
  std::vector<bool> reachable(object.sections().size());
  while (!roots.empty()) {
    const std::uint32_t section = roots.back();
    roots.pop_back();
    if (section >= reachable.size() || reachable[section] || !object.sections()[section].allocated)
      continue;
    reachable[section] = true;
    for (const Relocation& relocation : object.relocations(section))
      roots.push_back(object.symbols()[relocation.symbol].section);
  }
  return reachable;
}

KernelParts::KernelParts(const ObjectFile& object, const std::vector<std::uint32_t>& roots,
                         Checks checks)
    : object_(object), reachable_(reachable_sections(object, roots)) {
  for (std::uint32_t i = 0; i < reachable_.size(); ++i)
    if (reachable_[i]) sections_.push_back(i);
  if (checks != Checks::none) confine_code(checks == Checks::of_local);
}

void KernelParts::confine_code(bool reports_local) {
  for (const std::uint32_t i : sections_)
    if (section(i).executable) code_[i] = confine(object_, i, reports_local);
  is_shallow_ = std::ranges::all_of(code_, [](const auto& each) { return each.second.is_shallow; });
  for (const Symbol& symbol : object_.symbols())
    if (symbol.is_function && symbol.section != 0 && symbol.value != 0 &&
        code_.contains(symbol.section))
      code_[symbol.section].problem = "two functions at one address";
}

const std::vector<Relocation>& KernelParts::relocations(std::uint32_t section) const {
  const auto code = code_.find(section);
  return code != code_.end() ? code->second.relocations : object_.relocations(section);
}

std::uint64_t KernelParts::bytes(std::uint32_t section) const {
  const auto code = code_.find(section);
  return code != code_.end() ? code->second.bytes.size() : object_.sections()[section].bytes;
}

}  // namespace histolab::kernels::emulator
