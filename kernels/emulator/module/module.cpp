#include "kernels/emulator/module/module.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/code/kernel_symbol.h"
#include "kernels/emulator/debugger/debugger.h"
#include "kernels/emulator/module/bound_symbols.h"
#include "kernels/emulator/module/kernel_facts.h"
#include "kernels/emulator/module/kernel_parts.h"
#include "kernels/emulator/module/kernel_sites.h"
#include "kernels/emulator/module/links.h"
#include "kernels/emulator/module/placement.h"

namespace histolab::kernels::emulator {
namespace {

// The message blames the source and not this machine, since the compiler made the object from it.
std::string cannot_be_loaded(const std::string& why) {
  return fmt::format(
      "the compiled kernel could not be loaded ({}). Remove unusual constructs, attributes first",
      why);
}

std::nullopt_t refuse(Module& module, std::string message) {
  module.diagnostics.push_back({Severity::error, 0, 0, std::move(message)});
  return std::nullopt;
}

void append(std::vector<Diagnostic> diagnostics, std::vector<Diagnostic>& to) {
  std::ranges::move(diagnostics, std::back_inserter(to));
}

// The sections from which all that is loaded can be reached.
std::vector<std::uint32_t> roots(const ObjectFile& object, const Symbol& kernel,
                                 const KernelSignature& signature) {
  std::vector<std::uint32_t> sections{kernel.section};
  for (const Symbol& symbol : object.symbols())
    if (is_export(symbol, signature)) sections.push_back(symbol.section);
  return sections;
}

// Code that was compiled for a debugger has no checks. It is inspected without saying so.
KernelParts::Checks checks_for(const ObjectFile& object, const ModuleOptions& options) {
  const auto is_debuggers = [](const Symbol& symbol) {
    return symbol.name == "__cyg_profile_func_enter";
  };
  if (options.debugged ||
      (options.never_runs && std::ranges::any_of(object.symbols(), is_debuggers)))
    return KernelParts::Checks::none;
  return options.local_lines.empty() ? KernelParts::Checks::of_others
                                     : KernelParts::Checks::of_local;
}

void set_functions(Module& module, const NamedFunctions& named, const ModuleOptions& options) {
  module.has_fence = named.has_fence;
  module.has_warp_sync = named.has_warp_sync;
  module.allocates = named.allocates;
  module.is_cooperative = named.has_grid_barrier;
  module.in_order = named.has_fence || named.allocates || options.in_order;
  module.shows = module.in_order || options.shows;
}

std::uint32_t offset_in(std::span<const std::uint8_t> text, const std::uint8_t* code) {
  return static_cast<std::uint32_t>(code - text.data());
}

// A kernel in the window, linked but without its facts.
struct LinkedKernel {
  KernelParts parts;
  Placement placement;
  BoundSymbols symbols;
  Links links;
  std::uint32_t section = 0;  // of the kernel
  const std::uint8_t* entry = nullptr;
};

// Places and links the kernel. Returns nullopt if there are mistakes, which `module` has then.
std::optional<LinkedKernel> link_kernel(const ObjectFile& object, const KernelSignature& signature,
                                        Window& window, const ModuleOptions& options,
                                        Module& module) {
  const KernelSymbol found = find_kernel(object, signature);
  if (!found.problem.empty()) return refuse(module, found.problem);
  const Symbol& kernel = object.symbols()[found.number];

  KernelParts parts(object, roots(object, kernel, signature), checks_for(object, options));
  module.is_shallow = parts.is_shallow();
  set_functions(module, functions_named_by(parts), options);
  const KernelParts* const reached = signature.is_mangled ? &parts : nullptr;
  for (std::string& mistake : reserved_names(object, reached)) refuse(module, std::move(mistake));
  for (std::string& mistake : shared_initializers(parts)) refuse(module, std::move(mistake));
  if (!module.diagnostics.empty()) return std::nullopt;

  Placement placement = place_sections(parts, options.dynamic_shared_bytes, window, options.kept);
  if (!placement.problem.empty()) return refuse(module, placement.problem);
  module.text = {window.image(), placement.text.used()};
  module.constants_end = placement.constants_end;
  module.static_shared_bytes = placement.static_shared_bytes;
  const std::uint8_t* const code = placement.address[kernel.section];
  const Section& section = object.sections()[kernel.section];
  if (code == nullptr || !section.executable || kernel.value >= section.bytes)
    return refuse(module, cannot_be_loaded("the kernel is not in a code section"));

  BoundSymbols symbols = bind_symbols(parts);
  Result<Links> links = link(parts, symbols, placement, options.debugged);
  if (!links) return refuse(module, cannot_be_loaded(links.error().message));
  return LinkedKernel{std::move(parts),  std::move(placement), std::move(symbols),
                      std::move(*links), kernel.section,       code + kernel.value};
}

// Sets the facts about the kernel, and its mistakes.
void describe(const LinkedKernel& kernel, const KernelSignature& signature,
              const ModuleOptions& options, Module& module) {
  const KernelParts& parts = kernel.parts;
  const auto text = reinterpret_cast<std::uint64_t>(module.text.data());
  module.places = loaded_places(parts, kernel.placement, text, kernel.placement.text.used(),
                                options.library_folders);
  module.max_threads_per_block = launch_bounds(parts.object(), kernel.section);
  Exports exports = read_exports(parts, kernel.placement, signature);
  module.exports = std::move(exports.values);
  for (std::string& mistake : exports.mistakes) refuse(module, std::move(mistake));
  // If a function is unsupported, it may be the reason why code is refused: if it never returns, no
  // code follows its call. Then it is reported by its name.
  if (kernel.links.unsupported.empty())
    append(refused_code(parts, kernel.placement, module.places, text), module.diagnostics);
  append(wrong_uses(kernel.links, parts.object(), module.places, text), module.diagnostics);
  if (options.name_variables)
    module.variables = used_variables(parts, kernel.placement, module.places, text);
}

// Sets the sites of the kernel and their order.
void find_sites(const LinkedKernel& kernel, const ModuleOptions& options, Module& module) {
  KernelSites sites;
  for (const RuntimeReference& reference : kernel.links.references)
    sites.add_call(kernel.parts.object().symbols()[reference.symbol].name,
                   kernel.symbols.functions.at(reference.symbol),
                   static_cast<SiteNumber>(reference.behind));
  sites.set_lines(module.places, options.wide_accesses, options.local_lines);
  if (!options.never_runs)
    for (const auto& [section, code] : kernel.parts.code())
      sites.add_checks(code, offset_in(module.text, kernel.placement.address[section]));
  const FlowGraph graph = decode_flow(module.text, offset_in(module.text, kernel.entry));
  sites.describe_atomics(CallFacts(module.text, graph));
  module.flow = ControlFlow(graph, sites.calls);
  module.has_compare_and_swap = sites.has_compare_and_swap;
  module.sites = std::move(sites.table);
  module.calls = std::move(sites.calls);
  module.barriers = std::move(sites.barriers);
}

// Marks the valid targets of returns and of calls through pointers (guards.h).
void mark_targets(const LinkedKernel& kernel, std::span<const std::uint8_t> text) {
  forget_code_places(text.data());
  for (const auto& [section, code] : kernel.parts.code()) {
    const std::uint32_t begin = offset_in(text, kernel.placement.address[section]);
    mark_function(begin);
    for (const ReturnPlace& place : code.returns) mark_return(begin + place.offset, place.depth);
  }
  for (const std::uint32_t stub : kernel.links.callable_stubs) mark_function(stub);
}

void show_to_debugger(const LinkedKernel& kernel, Module& module) {
  const ObjectFile& object = kernel.parts.object();
  const std::vector<std::uint8_t*>& address = kernel.placement.address;
  histolab_debug_view.text = reinterpret_cast<std::uint64_t>(module.text.data());
  histolab_debug_view.kernel = reinterpret_cast<std::uint64_t>(address[kernel.section]);
  histolab_debug_view.kernel_bytes = object.sections()[kernel.section].bytes;
  module.debugger_image = std::make_unique<DebuggerImage>(image_for_debugger(object, address));
}

}  // namespace

Result<Module> Module::load(std::span<const std::uint8_t> bytes, const KernelSignature& signature,
                            Window& window, const ModuleOptions& options) {
  Module module;
  const Result<ObjectFile> object = ObjectFile::parse(bytes);
  if (!object) {
    refuse(module, cannot_be_loaded(object.error().message));
    return module;
  }
  const std::optional<LinkedKernel> kernel =
      link_kernel(*object, signature, window, options, module);
  if (!kernel) return module;
  describe(*kernel, signature, options, module);
  if (!module.diagnostics.empty()) return module;
  if (mprotect(window.image(), Window::text_bytes, PROT_READ | PROT_EXEC) != 0)
    return Error{fmt::format("cannot make the kernel executable: {}", std::strerror(errno))};
  module.entry = kernel->entry;
  find_sites(*kernel, options, module);
  if (!options.never_runs) mark_targets(*kernel, module.text);
  if (options.debugged) show_to_debugger(*kernel, module);
  return module;
}

}  // namespace histolab::kernels::emulator
