#include "kernels/emulator/module/links.h"

#include <fmt/format.h>

#include <cstring>

#include "kernels/emulator/arch/call_stub.h"
#include "kernels/emulator/debugger/debugger_image.h"

namespace histolab::kernels::emulator {
namespace {

std::uint64_t as_address(const std::uint8_t* place) {
  return reinterpret_cast<std::uint64_t>(place);
}

// The field that a relocation fills.
struct RelocatedField {
  std::uint8_t* at = nullptr;
  std::uint64_t room = 0;  // bytes from there to the end of the section
  bool is_loaded = false;  // else it is in the copy of the file: debug information
  bool is_code = false;
  bool is_first = false;  // the section begins with it
  bool is_kept = false;   // of a variable that keeps its contents
};

class Linker {
 public:
  Linker(const KernelParts& parts, const BoundSymbols& symbols, Placement& placement,
         bool for_debugger)
      : parts_(parts), symbols_(symbols), placement_(placement), for_debugger_(for_debugger) {
    for (const std::uint32_t symbol : symbols.unsupported) links_.unsupported[symbol] = 0;
  }

  Result<Links> link() {
    for (std::uint32_t i = 0; i < placement_.address.size(); ++i) {
      const Section& section = parts_.section(i);
      const bool is_debug = section.name.starts_with(".debug_");
      if ((placement_.address[i] == nullptr && !is_debug) || section.is_thread_local) continue;
      for (const Relocation& relocation : parts_.relocations(i))
        if (!apply(relocation, i))
          return Error{
              fmt::format("the object file has a relocation (type {}) that cannot be applied",
                          relocation.type)};
    }
    return std::move(links_);
  }

 private:
  // These return false if the relocation is malformed.
  bool apply(const Relocation& relocation, std::uint32_t section);
  bool refer_to_runtime(const Relocation& relocation, const RelocatedField& field,
                        std::uint64_t& address);
  bool put(const Relocation& relocation, const RelocatedField& field, std::uint64_t value);
  [[nodiscard]] bool holds_other_value(const RelocatedField& field, RelocationKind kind) const;
  void locate_for_debugger(const Relocation& relocation, const RelocatedField& field);

  [[nodiscard]] RelocatedField field_of(const Relocation& relocation, std::uint32_t section) const;
  [[nodiscard]] const Symbol& symbol_of(const Relocation& relocation) const {
    return parts_.object().symbols()[relocation.symbol];
  }
  [[nodiscard]] std::uint64_t address_of(const Symbol& symbol) const;
  [[nodiscard]] std::uint64_t thread_offset_of(const Relocation& relocation) const;
  std::uint64_t stub_for(std::uint32_t symbol, bool by_address);
  std::uint64_t word_for(std::uint32_t symbol, std::uint64_t value);

  const KernelParts& parts_;
  const BoundSymbols& symbols_;
  Placement& placement_;
  const bool for_debugger_;
  std::map<std::uint32_t, std::uint64_t> stubs_, words_;  // by symbol: address
  Links links_;
};

RelocatedField Linker::field_of(const Relocation& relocation, std::uint32_t section) const {
  const std::uint64_t bytes = parts_.bytes(section);
  if (relocation.offset >= bytes) return {};
  const bool is_loaded = placement_.address[section] != nullptr;
  std::uint8_t* const begin =
      is_loaded ? placement_.address[section] : parts_.object().mutable_data(section);
  return {
      begin + relocation.offset,          bytes - relocation.offset, is_loaded,
      parts_.section(section).executable, relocation.offset == 0,    placement_.is_kept[section]};
}

std::uint64_t Linker::address_of(const Symbol& symbol) const {
  if (symbol.is_absolute) return symbol.value;
  if (symbol.section == 0) return 0;
  // A debug section has no address, so its symbols are offsets.
  return placement_.begin_of(symbol.section) + symbol.value;
}

std::uint64_t Linker::thread_offset_of(const Relocation& relocation) const {
  if (const auto found = symbols_.built_ins.find(relocation.symbol);
      found != symbols_.built_ins.end())
    return static_cast<std::uint64_t>(found->second);
  const Symbol& symbol = symbol_of(relocation);
  const bool is_dynamic = symbol.section == 0;
  const std::uint8_t* const placed =
      is_dynamic ? placement_.dynamic_shared : placement_.address[symbol.section];
  if (placed == nullptr) return 0;  // too much shared memory: never launched
  const std::uint64_t variable = is_dynamic ? as_address(placed) : address_of(symbol);
  return variable - reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
}

// Returns the address to call for a runtime function: the function itself, or a stub that jumps
// there if it is out of a call's reach. A call through a pointer always takes a stub, because it
// may only enter the kernel's own text. Returns 0 if the text has no room for a stub.
std::uint64_t Linker::stub_for(std::uint32_t symbol, bool by_address) {
  const auto target = reinterpret_cast<std::uint64_t>(symbols_.functions.at(symbol).address);
  const std::uint64_t text = as_address(placement_.text.begin());
  if (!by_address && is_in_reach(text, target)) return target;
  std::uint64_t& stub = stubs_[symbol];
  if (stub == 0) {
    std::uint8_t* const code = placement_.text.take(stub_bytes, stub_bytes);
    if (code == nullptr) return 0;
    write_stub(code, target);
    stub = as_address(code);
  }
  if (by_address) links_.callable_stubs.push_back(static_cast<std::uint32_t>(stub - text));
  return stub;
}

// Returns the address of a word that holds `value`, like a GOT entry. The word is in the text, so
// the kernel cannot change it. Returns 0 if the text has no room.
std::uint64_t Linker::word_for(std::uint32_t symbol, std::uint64_t value) {
  if (const auto known = words_.find(symbol); known != words_.end()) return known->second;
  std::uint8_t* const word = placement_.text.take(sizeof value, sizeof value);
  if (word == nullptr) return 0;
  std::memcpy(word, &value, sizeof value);
  return words_[symbol] = as_address(word);
}

// Notes a reference to a function of the runtime, and gets the address to use for it.
bool Linker::refer_to_runtime(const Relocation& relocation, const RelocatedField& field,
                              std::uint64_t& address) {
  const bool is_called = field.is_code && !field.is_first && is_field_of_call(field.at);
  address = stub_for(relocation.symbol, !is_called);
  if (address == 0) return false;
  const RuntimeFunction& function = symbols_.functions.at(relocation.symbol);
  if (!is_called && (function.bytes != 0 || is_reserved(symbol_of(relocation).name)))
    links_.by_address.try_emplace(relocation.symbol, as_address(field.at));
  if (field.is_code)
    links_.references.push_back({relocation.symbol, behind_call_field(as_address(field.at))});
  return true;
}

bool Linker::put(const Relocation& relocation, const RelocatedField& field, std::uint64_t value) {
  const RelocationKind kind = kind_of(relocation);
  if (field.room < kind.bytes) return false;
  if (field.is_kept && holds_other_value(field, kind)) return true;
  if (write_field(field.at, kind, value)) return true;
  // Reported later, by its symbol. This code never runs.
  if (field.is_loaded) links_.out_of_reach.try_emplace(relocation.symbol, as_address(field.at));
  return field.is_loaded;
}

// Returns whether the kernel or the program has changed a pointer since the file was made: it is
// neither null, as in the file, nor an address in the text, which may be an earlier launch's.
bool Linker::holds_other_value(const RelocatedField& field, RelocationKind kind) const {
  std::uint64_t value = 0;
  if (kind.bytes != sizeof value) return false;
  std::memcpy(&value, field.at, sizeof value);
  return value != 0 && value - as_address(placement_.text.begin()) >= Window::text_bytes;
}

// Other forms of a location stay unchanged: the debugger cannot show these variables.
void Linker::locate_for_debugger(const Relocation& relocation, const RelocatedField& field) {
  const Symbol& symbol = symbol_of(relocation);
  const bool has_room = !field.is_first && field.room > 8;
  if (for_debugger_ && has_room && placement_.address[symbol.section] != nullptr)
    static_cast<void>(make_location_absolute(field.at, address_of(symbol)));
}

bool Linker::apply(const Relocation& relocation, std::uint32_t section) {
  const RelocatedField field = field_of(relocation, section);
  if (field.at == nullptr) return false;
  const std::uint32_t symbol = relocation.symbol;
  const std::uint64_t place = as_address(field.at);
  const auto addend = static_cast<std::uint64_t>(relocation.addend);
  if (const auto use = links_.unsupported.find(symbol);
      field.is_loaded && use != links_.unsupported.end()) {
    if (use->second == 0) use->second = place;
    return true;
  }
  std::uint64_t target = address_of(symbol_of(relocation));
  if (field.is_loaded && symbols_.functions.contains(symbol) &&
      !refer_to_runtime(relocation, field, target))
    return false;
  switch (kind_of(relocation).value) {
    using enum RelocationKind::Value;
    case none: return true;
    case address: return put(relocation, field, target + addend);
    case distance:
    case call_distance: return put(relocation, field, target + addend - place);
    case thread_offset: return put(relocation, field, thread_offset_of(relocation) + addend);
    case word_of_address: return put(relocation, field, word_for(symbol, target) + addend - place);
    case word_of_thread_offset:
      return put(relocation, field,
                 word_for(symbol, thread_offset_of(relocation)) + addend - place);
    case debug_offset:
      if (field.is_loaded) return false;
      locate_for_debugger(relocation, field);
      return true;
    case unknown: return false;
  }
  return false;
}

}  // namespace

Result<Links> link(const KernelParts& parts, const BoundSymbols& symbols, Placement& placement,
                   bool for_debugger) {
  return Linker(parts, symbols, placement, for_debugger).link();
}

}  // namespace histolab::kernels::emulator
