#include "kernels/emulator/module/module.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/code/kernel_symbol.h"
#include "kernels/emulator/module/module_loader.h"

namespace histolab::kernels::emulator {

namespace {

// The message blames the source and not this machine, since the compiler made the object from it.
std::string cannot_be_loaded(const std::string& why) {
  return fmt::format(
      "the compiled kernel could not be loaded ({}). Remove unusual constructs, attributes first",
      why);
}

}  // namespace

Status ModuleLoader::load() {
  const KernelSymbol kernel = find_kernel(object_, signature_);
  if (!kernel.problem.empty()) {
    refuse(kernel.problem);
    return Done{};
  }
  const Symbol& symbol = object_.symbols()[kernel.number];
  std::vector<std::uint32_t> roots{symbol.section};
  for (std::uint32_t s = 0; s < object_.symbols().size(); ++s)
    if (is_export(object_.symbols()[s])) roots.push_back(object_.symbols()[s].section);
  mark_reachable(std::move(roots));
  for (const Symbol& each : object_.symbols())
    if (each.section != 0 && is_reserved(each.name))
      refuse(fmt::format("the name `{}` is reserved for the emulator. Use another one",
                         each.name.substr(0, 60)));
  confine_code();
  bind_symbols();
  if (!module_.diagnostics.empty()) return Done{};
  TRY(place_sections());
  module_.text = {window_.image(), text_.used()};
  if (!module_.diagnostics.empty()) return Done{};
  if (!is_callable(symbol))
    return refuse(cannot_be_loaded("the kernel is not in a code section")), Done{};
  if (Status relocated = relocate(); !relocated)
    return refuse(cannot_be_loaded(relocated.error().message)), Done{};
  read_exports();
  module_.places = source_places(object_.image(), window_.begin(), text_.used());
  move_places();
  name_sites();
  explain_unsupported();
  read_launch_bounds(symbol.section);
  if (options_.name_variables) name_variables();
  if (!module_.diagnostics.empty()) return Done{};
  if (mprotect(window_.image(), Window::text_bytes, PROT_READ | PROT_EXEC) != 0)
    return Error{fmt::format("cannot make the kernel executable: {}", std::strerror(errno))};
  module_.entry = address_[symbol.section] + symbol.value;
  if (!options_.never_runs) mark_code_places();
  find_control_flow();
  if (options_.debugged) show_to_debugger(symbol.section);
  return Done{};
}

bool ModuleLoader::is_export(const Symbol& symbol) const {
  return symbol.section != 0 && !symbol.is_thread_local &&
         std::find(signature_.exports.begin(), signature_.exports.end(), symbol.name) !=
             signature_.exports.end();
}

bool ModuleLoader::is_callable(const Symbol& symbol) const {
  const Section& section = object_.sections()[symbol.section];
  return address_[symbol.section] != nullptr && section.executable && symbol.value < section.bytes;
}

void ModuleLoader::mark_reachable(std::vector<std::uint32_t> todo) {
  reachable_.assign(object_.sections().size(), false);
  while (!todo.empty()) {
    const std::uint32_t section = todo.back();
    todo.pop_back();
    if (section >= reachable_.size() || reachable_[section] ||
        !object_.sections()[section].allocated)
      continue;
    reachable_[section] = true;
    for (const Relocation& relocation : object_.relocations(section))
      todo.push_back(object_.symbols()[relocation.symbol].section);
  }
}

void ModuleLoader::confine_code() {
  const auto is_debuggers = [](const Symbol& symbol) {
    return symbol.name == "__cyg_profile_func_enter";
  };
  if (options_.debugged ||
      (options_.never_runs && std::ranges::any_of(object_.symbols(), is_debuggers)))
    return;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i)
    if (reachable_[i] && object_.sections()[i].executable)
      code_[i] = confine(object_, i, !options_.local_lines.empty());
  module_.is_shallow =
      std::ranges::all_of(code_, [](const auto& each) { return each.second.is_shallow; });
  for (const Symbol& symbol : object_.symbols())
    if (symbol.is_function && symbol.section != 0 && symbol.value != 0 &&
        code_.contains(symbol.section))
      code_[symbol.section].problem = "two functions at one address";
}

Result<Module> Module::load(std::span<const std::uint8_t> bytes, const KernelSignature& signature,
                            Window& window, const ModuleOptions& options) {
  Module module;
  Result<ObjectFile> object = ObjectFile::parse(bytes);
  if (!object) {
    module.diagnostics.push_back({Severity::error, 0, 0, cannot_be_loaded(object.error().message)});
    return module;
  }
  module.sites = std::make_unique<SiteTable>();
  ModuleLoader loader(*object, signature, window, options, module);
  TRY(loader.load());
  return module;
}

}  // namespace histolab::kernels::emulator
