#include "kernels/emulator/module/bound_symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/emulator/memory/built_in_variables.h"
#include "kernels/kernel_name.h"

namespace histolab::kernels::emulator {
namespace {

// Returns whether the runtime or a built-in variable may define the symbol.
bool is_undefined(const Symbol& symbol) {
  return symbol.section == 0 && !symbol.name.empty() && !symbol.is_absolute;
}

// Type information of a class with virtual functions, in a whole program. Kernels do not read it.
bool is_type_information(const Symbol& symbol) {
  return symbol.name.starts_with("_ZTVN10__cxxabiv1");
}

// A thread_local that is initialized at run time has a guard variable. At file scope they share
// one.
constexpr std::string_view guard_of_all = "__tls_guard";
bool is_guard(const Symbol& symbol) {
  return symbol.is_thread_local && (symbol.name == guard_of_all || symbol.name.starts_with("_ZGV"));
}

std::string constructor_mistake(const Symbol& guard) {
  const std::string where = guard.name == guard_of_all
                                ? "outside the kernels there is"
                                : fmt::format("`{}` is", last_name(demangle(guard.name)));
  return fmt::format(
      "{} a __shared__ variable whose type has a constructor; shared memory is not initialized. "
      "Use a plain type, set it in the kernel, then call __syncthreads()",
      where);
}

}  // namespace

NamedFunctions functions_named_by(const KernelParts& parts) {
  NamedFunctions named;
  for (const std::uint32_t section : parts.sections())
    for (const Relocation& relocation : parts.object().relocations(section)) {
      const Symbol& symbol = parts.object().symbols()[relocation.symbol];
      const std::string& name = symbol.name;
      named.has_fence |= is_fence(name);
      named.allocates |= name == "malloc" || name == "_Znwm" || name == "_Znam";
      if (!is_undefined(symbol)) continue;
      named.has_warp_sync |= name == "histolab_syncwarp";
      named.has_grid_barrier |= name == grid_barrier_symbol;
    }
  return named;
}

BoundSymbols bind_symbols(const KernelParts& parts) {
  BoundSymbols bound;
  for (const std::uint32_t section : parts.sections())
    for (const Relocation& relocation : parts.object().relocations(section)) {
      const std::uint32_t number = relocation.symbol;
      const Symbol& symbol = parts.object().symbols()[number];
      if (!is_undefined(symbol)) continue;
      if (const auto offset = built_in_variable(symbol.name))
        bound.built_ins[number] = *offset;
      else if (const auto function = runtime_function(symbol.name))
        bound.functions[number] = *function;
      else if (!symbol.is_thread_local && symbol.name != "_GLOBAL_OFFSET_TABLE_" &&
               !is_type_information(symbol))
        bound.unsupported.insert(number);
    }
  return bound;
}

std::vector<std::string> shared_initializers(const KernelParts& parts) {
  std::vector<std::string> mistakes;
  for (const std::uint32_t section : parts.sections()) {
    for (const Relocation& relocation : parts.object().relocations(section)) {
      const Symbol& symbol = parts.object().symbols()[relocation.symbol];
      if (!is_guard(symbol)) continue;
      mistakes.push_back(constructor_mistake(symbol));
      return mistakes;
    }
    if (parts.section(section).is_thread_local && !parts.section(section).is_zero)
      mistakes.push_back(
          "a __shared__ variable cannot have an initial value. Write the values in the kernel, "
          "then __syncthreads()");
  }
  return mistakes;
}

}  // namespace histolab::kernels::emulator
