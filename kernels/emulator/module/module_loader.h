// ModuleLoader: how a Module comes to be (module.h), step by step. Of one load; its steps stand in load(), in their order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/emulator/proof/confined_code.h"
#include "kernels/emulator/module/module.h"
#include "kernels/emulator/code/object_file.h"
#include "kernels/emulator/code/runtime_functions.h"

namespace histolab::kernels::emulator {

// Names of the runtime's: a kernel's file that has a function called so would be asked in its place.
[[nodiscard]] bool is_reserved(std::string_view name);

// Of a __constant__ variable, as the shim declares it.
[[nodiscard]] inline bool is_constant(const Section& section) { return section.name.starts_with(".histolab_constant."); }

// Where things go as the module grows.
class Placement {
 public:
  Placement(std::uint8_t* begin, std::uint64_t bytes) : begin_(begin), bytes_(bytes) {}
  // nullptr: no room left.
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
  ModuleLoader(const ObjectFile& object, const KernelSignature& signature, Window& window, const ModuleOptions& options, Module& module)
      : object_(object), signature_(signature), window_(window), options_(options), module_(module),
        text_(window.image(), Window::text_bytes), data_(window.image() + Window::text_bytes, Window::image_bytes - Window::text_bytes),
        shared_(window.shared(), Window::shared_bytes), address_(object.sections().size(), nullptr) {}

  // See Module::load.
  Status load();

 private:
  void refuse(std::string message, int line = 0) { module_.diagnostics.push_back({Severity::error, line, 0, std::move(message)}); }

  [[nodiscard]] bool is_export(const Symbol& symbol) const;
  [[nodiscard]] bool is_callable(const Symbol& symbol) const;
  // Of code as it is loaded.
  [[nodiscard]] const std::vector<Relocation>& relocations_of(std::uint32_t section) const {
    const auto code = code_.find(section);
    return code != code_.end() ? code->second.relocations : object_.relocations(section);
  }
  [[nodiscard]] std::uint64_t bytes_of(std::uint32_t section) const {
    const auto code = code_.find(section);
    return code != code_.end() ? code->second.bytes.size() : object_.sections()[section].bytes;
  }

  // What is loaded, and in which shape (module.cpp).
  void mark_reachable(std::vector<std::uint32_t> todo);
  void confine_code();

  // Where it goes (module_places.cpp).
  Status place_sections();
  [[nodiscard]] std::uint64_t red_zone(bool shared) const;
  Status place_shared();
  void add_literals(std::uint32_t section);
  void add_variable(const Symbol& symbol, std::uint32_t section);

  // What it is bound to (module_links.cpp).
  void bind_symbols();
  Status relocate();
  Status apply(const Relocation& relocation, std::uint32_t section);
  [[nodiscard]] std::uint64_t value_of(const Symbol& symbol) const;
  std::uint64_t stub_for(std::uint32_t symbol, bool by_address);
  std::uint64_t slot_for(std::uint32_t symbol, std::uint64_t value);

  // What is known of it (module_facts.cpp).
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
  std::vector<std::uint8_t*> address_;  // of each section; nullptr: not loaded
  std::vector<bool> reachable_;
  std::map<std::uint32_t, ConfinedCode> code_;           // of the sections that hold some
  std::vector<std::uint32_t> callable_stubs_;            // of runtime functions whose address is taken
  std::map<std::uint32_t, RuntimeFunction> functions_;   // undefined symbols, by number
  std::map<std::uint32_t, std::int64_t> built_ins_;      // thread-pointer offsets
  std::map<std::uint32_t, std::uint64_t> stubs_, slots_;
  std::map<std::uint32_t, std::uint64_t> unsupported_;   // symbol -> address of its first use
  std::map<std::uint32_t, std::uint64_t> out_of_reach_;  // the same of variables with a constant index that no address can hold
  std::map<std::uint32_t, std::uint64_t> by_address_;    // the same of runtime functions that access memory, and are not called by name
  struct AtomicCall {
    SiteNumber site;
    std::string_view name;  // of the operation and its type: "Add_u32", "Exch_block_u32"
  };
  std::vector<AtomicCall> atomic_calls_;
  std::uint8_t* dynamic_shared_ = nullptr;
  std::uint64_t variable_red_zone_ = 0, shared_red_zone_ = 0;
};

}  // namespace histolab::kernels::emulator
