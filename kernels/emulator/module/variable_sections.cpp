#include "kernels/emulator/module/variable_sections.h"

#include <algorithm>
#include <map>

#include "kernels/emulator/code/object_file.h"
#include "kernels/emulator/module/kernel_parts.h"
#include "kernels/kernel_name.h"

namespace histolab::kernels::emulator {

Result<std::vector<VariableSection>> variable_sections(std::span<const std::uint8_t> bytes) {
  const ObjectFile object = TRY(ObjectFile::parse(bytes));
  std::vector<std::uint32_t> kernels;
  for (const Symbol& symbol : object.symbols())
    if (symbol.is_kernel) kernels.push_back(symbol.section);
  const std::vector<bool> used = reachable_sections(object, std::move(kernels));

  std::map<std::uint32_t, VariableSection> found;  // by number
  for (const Symbol& symbol : object.symbols()) {
    if (symbol.section == 0 || symbol.is_function || symbol.bytes == 0) continue;
    const Section& section = object.sections()[symbol.section];
    const bool can_change = is_constant(section) || !is_read_only(section);
    if (!section.allocated || section.executable || section.is_thread_local || !can_change ||
        symbol.value >= section.bytes)
      continue;
    VariableSection& made = found[symbol.section];
    made.variables.push_back({symbol.name, last_name(demangle(symbol.name)), symbol.value,
                              std::min(symbol.bytes, section.bytes - symbol.value)});
  }
  std::vector<VariableSection> all;
  for (auto& [number, made] : found) {
    const Section& section = object.sections()[number];
    std::ranges::sort(made.variables, {}, &VariableSection::Variable::offset);
    made.bytes = section.bytes;
    made.alignment = section.alignment;
    made.is_constant = is_constant(section);
    made.is_used = used[number];
    if (!section.is_zero) {
      made.contents.assign(section.data, section.data + section.bytes);
      made.contents_at = static_cast<std::uint64_t>(section.data - object.image().data());
    }
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace histolab::kernels::emulator
