// KernelParts: the sections of an object file that a kernel can reach, with checks in their code.
//
// The first step of loading (module.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/emulator/code/object_file.h"
#include "kernels/emulator/proof/confined_code.h"

namespace histolab::kernels::emulator {

// Returns whether the section holds a __constant__ variable, as the shim declares it.
[[nodiscard]] inline bool is_constant(const Section& section) {
  return section.name.starts_with(".histolab_constant.");
}

// Returns whether the name belongs to the runtime. If a kernel's file defined such a function, it
// would be called in place of the runtime's.
[[nodiscard]] bool is_reserved(std::string_view name);
class KernelParts;
// Returns the mistakes of a file that defines such names. If `reached` is not null, only those in
// its sections count: a program's file has functions of the host, which are never loaded.
[[nodiscard]] std::vector<std::string> reserved_names(const ObjectFile& object,
                                                      const KernelParts* reached = nullptr);

// Returns, per section, whether it is one of `roots` or is referred to from a section that is
// reachable. Sections that a program does not have in its memory are not.
[[nodiscard]] std::vector<bool> reachable_sections(const ObjectFile& object,
                                                   std::vector<std::uint32_t> roots);

class KernelParts {
 public:
  enum class Checks : std::uint8_t {
    none,       // for a debugger: the code stays as it is
    of_others,  // on all accesses that are not proved
    of_local,   // likewise, and they also report accesses to local arrays
  };
  // `object` must outlive this object.
  KernelParts(const ObjectFile& object, const std::vector<std::uint32_t>& roots, Checks checks);

  [[nodiscard]] const ObjectFile& object() const { return object_; }
  [[nodiscard]] const Section& section(std::uint32_t number) const {
    return object_.sections()[number];
  }
  // Returns the numbers of the reachable sections, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& sections() const { return sections_; }
  [[nodiscard]] bool is_reachable(std::uint32_t section) const { return reachable_[section]; }
  // Returns the code with checks, by section. Empty with Checks::none.
  [[nodiscard]] const std::map<std::uint32_t, ConfinedCode>& code() const { return code_; }
  // Returns AccessProof::is_shallow for all of the code. Returns false with Checks::none.
  [[nodiscard]] bool is_shallow() const { return is_shallow_; }

  // Return the section's relocations and its size, with checks if it has any. Also for sections
  // that are not reachable.
  [[nodiscard]] const std::vector<Relocation>& relocations(std::uint32_t section) const;
  [[nodiscard]] std::uint64_t bytes(std::uint32_t section) const;

 private:
  void confine_code(bool reports_local);

  const ObjectFile& object_;
  std::vector<bool> reachable_;
  std::vector<std::uint32_t> sections_;
  std::map<std::uint32_t, ConfinedCode> code_;
  bool is_shallow_ = false;
};

}  // namespace histolab::kernels::emulator
