#include "kernels/emulator/proof/memory_access.h"

#include "kernels/emulator/memory/built_in_variables.h"
#include "kernels/emulator/proof/instruction_values.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t most_bytes = 16;  // of one access
constexpr std::uint32_t built_in_bytes = 12;

using Value = RelocationKind::Value;

bool is_in_built_in_variable(const Relocation& relocation, std::uint32_t bytes,
                             const ObjectFile& object) {
  const RelocationKind kind = kind_of(relocation);
  const Symbol& symbol = object.symbols()[relocation.symbol];
  return kind.value == Value::thread_offset && kind.bytes == 4 && symbol.section == 0 &&
         !symbol.is_absolute && built_in_variable(symbol.name) && relocation.addend >= 0 &&
         relocation.addend <= std::int64_t{built_in_bytes} - bytes;
}

// `to_end`: from the relocation's field to the end of the instruction.
bool is_in_constants(const Relocation& relocation, std::int64_t to_end, std::uint32_t bytes,
                     const ObjectFile& object) {
  if (kind_of(relocation).value != Value::distance) return false;
  const Symbol& symbol = object.symbols()[relocation.symbol];
  const Section& section = object.sections()[symbol.section];
  if (symbol.section == 0 || !is_read_only(section) || section.is_thread_local) return false;
  const auto offset = static_cast<std::int64_t>(
      symbol.value + static_cast<std::uint64_t>(relocation.addend + to_end));
  return offset >= 0 && static_cast<std::uint64_t>(offset) <= section.bytes &&
         bytes <= section.bytes - static_cast<std::uint64_t>(offset);
}

// Returns whether the access is at a constant address in the file's constants, the loader's words
// or a built-in variable.
bool reads_known_memory(const MemoryPlace& place, std::uint32_t bytes, const ProofState& state) {
  if (place.base != no_register || place.index != no_register) return false;
  if (place.in_thread_storage && !place.relocation)  // the thread pointer itself
    return place.displacement == 0 && bytes == StackPointer::pointer_bytes;
  if (!place.relocation) return false;
  if (place.in_thread_storage)
    return is_in_built_in_variable(*place.relocation, bytes, state.object);
  if (!place.to_next) return false;
  if (kind_of(*place.relocation).is_loaders_word())
    return reads_loaders_word(place, state.now) && bytes == StackPointer::pointer_bytes;
  const auto to_end = static_cast<std::int64_t>(state.now.end - place.relocation->offset);
  return is_in_constants(*place.relocation, to_end, bytes, state.object);
}

NeededCheck::What needed_check(const Operand& operand) {
  if (!operand.writes) return NeededCheck::What::read;
  return operand.reads ? NeededCheck::What::update : NeededCheck::What::write;
}

}  // namespace

bool prove_access(const Operand& operand, const StackPointer& stack, ProofState& state,
                  AccessEffects& effects) {
  const bool writes = operand.writes;
  const std::uint32_t bytes = operand.bytes;
  if (bytes == 0 || bytes > most_bytes || operand.memory.is_unusual)
    return state.refuse(not_needed);
  const MemoryPlace place = state.now.place_of(operand);
  if (place.to_next && !place.relocation) return state.refuse("an access to its own code");
  const CodeValue address = address_of(place, state.now, state.values);
  if (stack.holds(address, bytes, writes)) {
    (writes ? effects.stored : effects.loaded) = StackWord{address.plus, bytes};
    return true;
  }
  const bool is_proved = state.reports.use(address, bytes, writes) ||
                         (!writes && reads_known_memory(place, bytes, state));
  if (!is_proved) state.ask(needed_check(operand), place, bytes, state.reports.take(bytes, writes));
  effects.stores_elsewhere |= writes;
  return true;
}

}  // namespace histolab::kernels::emulator
