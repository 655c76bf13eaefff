// ModuleLoader: creates one Module (module.h). load() contains the steps, in their order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/emulator/code/object_file.h"
#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/module/module.h"
#include "kernels/emulator/proof/confined_code.h"

namespace histolab::kernels::emulator {

// Returns whether the name belongs to the runtime. If a kernel's file defined such a function, it
// would be called in place of the runtime's.
[[nodiscard]] bool is_reserved(std::string_view name);

// Returns whether the section holds a __constant__ variable, as the shim declares it.
[[nodiscard]] inline bool is_constant(const Section& section) {
  return section.name.starts_with(".histolab_constant.");
}

// Hands out a range of memory piece by piece.
class Placement {
 public:
  Placement(std::uint8_t* begin, std::uint64_t bytes) : begin_(begin), bytes_(bytes) {}
  // Returns the next `bytes` at this alignment, with at least `red_zone` unused bytes on each side.
  // Returns nullptr if they do not fit.
  std::uint8_t* take(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t red_zone = 0) {
    const std::uint64_t at = round_up(used_ + red_zone, alignment);
    if (bytes > bytes_ || at > bytes_ - bytes || bytes_ - bytes - at < red_zone) return nullptr;
    used_ = at + bytes + red_zone;
    return begin_ + at;
  }
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  std::uint8_t* begin_;
  std::uint64_t bytes_, used_ = 0;
};

class ModuleLoader {
 public:
  ModuleLoader(const ObjectFile& object, const KernelSignature& signature, Window& window,
               const ModuleOptions& options, Module& module)
      : object_(object),
        signature_(signature),
        window_(window),
        options_(options),
        module_(module),
        text_(window.image(), Window::text_bytes),
        data_(window.image() + Window::text_bytes, Window::image_bytes - Window::text_bytes),
        shared_(window.shared(), Window::shared_bytes),
        address_(object.sections().size(), nullptr) {}

  // See Module::load.
  Status load();

 private:
  void refuse(std::string message, int line = 0) {
    module_.diagnostics.push_back({Severity::error, line, 0, std::move(message)});
  }

  [[nodiscard]] bool is_export(const Symbol& symbol) const;
  [[nodiscard]] bool is_callable(const Symbol& symbol) const;
  // Relocations and size of a section as it is loaded, with checks if it has any.
  [[nodiscard]] const std::vector<Relocation>& relocations_of(std::uint32_t section) const {
    const auto code = code_.find(section);
    return code != code_.end() ? code->second.relocations : object_.relocations(section);
  }
  [[nodiscard]] std::uint64_t bytes_of(std::uint32_t section) const {
    const auto code = code_.find(section);
    return code != code_.end() ? code->second.bytes.size() : object_.sections()[section].bytes;
  }

  // Selection of sections, and checks in their code (module.cpp).
  void mark_reachable(std::vector<std::uint32_t> todo);
  void confine_code();

  // Placement (module_places.cpp).
  Status place_sections();
  [[nodiscard]] std::uint64_t red_zone(bool shared) const;
  Status place_shared();
  void add_literals(std::uint32_t section);
  void add_variable(const Symbol& symbol, std::uint32_t section);

  // Symbols and relocations (module_links.cpp).
  void bind_symbols();
  Status relocate();
  Status apply(const Relocation& relocation, std::uint32_t section);
  [[nodiscard]] std::uint64_t value_of(const Symbol& symbol) const;
  std::uint64_t stub_for(std::uint32_t symbol, bool by_address);
  std::uint64_t slot_for(std::uint32_t symbol, std::uint64_t value);

  // Facts about the loaded kernel (module_facts.cpp).
  void read_exports();
  void move_places();
  void name_sites();
  void explain_unsupported();
  void read_launch_bounds(std::uint32_t kernel_section);
  void name_variables();
  [[nodiscard]] int line_of_first_use(std::uint32_t section) const;
  void mark_code_places();
  void find_control_flow();
  void show_to_debugger(std::uint32_t kernel_section);

  const ObjectFile& object_;
  const KernelSignature& signature_;
  Window& window_;
  const ModuleOptions& options_;
  Module& module_;
  Placement text_, data_, shared_;
  std::vector<std::uint8_t*> address_;  // per section; null if not loaded
  std::vector<bool> reachable_;
  std::map<std::uint32_t, ConfinedCode> code_;  // by section, for sections of code
  std::vector<std::uint32_t>
      callable_stubs_;  // offsets in the text of the stubs whose address is taken
  std::map<std::uint32_t, RuntimeFunction> functions_;  // undefined symbols, by number
  std::map<std::uint32_t, std::int64_t> built_ins_;     // by symbol: offset from the thread pointer
  std::map<std::uint32_t, std::uint64_t> stubs_, slots_;  // by symbol: address
  // Mistakes, as symbol -> address of its first use: symbols that do not exist here; variables with
  // a constant index that does not fit into an address; runtime functions that access memory and
  // whose address is taken.
  std::map<std::uint32_t, std::uint64_t> unsupported_;
  std::map<std::uint32_t, std::uint64_t> out_of_reach_;
  std::map<std::uint32_t, std::uint64_t> by_address_;
  struct AtomicCall {
    SiteNumber site;
    std::string_view name;  // operation and type: "Add_u32", "Exch_block_u32"
  };
  std::vector<AtomicCall> atomic_calls_;
  std::uint8_t* dynamic_shared_ = nullptr;
  std::uint64_t variable_red_zone_ = 0, shared_red_zone_ = 0;
};

}  // namespace histolab::kernels::emulator
