// Facts about a loaded kernel, and mistakes in it.
//
// They are pure functions of the results of the steps of loading (module.h). `text` is the address
// of the loaded text.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/module/kernel_parts.h"
#include "kernels/emulator/module/links.h"
#include "kernels/emulator/module/placement.h"

namespace histolab::kernels::emulator {

// Returns the source position of each byte of the text. `library_folders`: see source_places().
[[nodiscard]] SourcePlaces loaded_places(const KernelParts& parts, const Placement& placement,
                                         std::uint64_t text, std::uint64_t text_bytes,
                                         std::span<const std::string> library_folders = {});

// Variables whose values the harness reads before a launch.
[[nodiscard]] bool is_export(const Symbol& symbol, const KernelSignature& signature);
struct Exports {
  std::map<std::string, std::uint32_t> values;  // by name
  std::vector<std::string> mistakes;
};
[[nodiscard]] Exports read_exports(const KernelParts& parts, const Placement& placement,
                                   const KernelSignature& signature);

// Returns the number of threads in the kernel's __launch_bounds__, or 0. `kernel`: its section.
[[nodiscard]] std::uint32_t launch_bounds(const ObjectFile& object, std::uint32_t kernel);

// Returns the mistakes because of which the proof refused code.
[[nodiscard]] std::vector<Diagnostic> refused_code(const KernelParts& parts,
                                                   const Placement& placement,
                                                   const SourcePlaces& places, std::uint64_t text);
// Returns the mistakes in the use of symbols.
[[nodiscard]] std::vector<Diagnostic> wrong_uses(const Links& links, const ObjectFile& object,
                                                 const SourcePlaces& places, std::uint64_t text);

}  // namespace histolab::kernels::emulator
