#include "kernels/emulator/code/kernel_symbol.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/kernel_name.h"

namespace histolab::kernels::emulator {

KernelSymbol find_kernel(const ObjectFile& object, const KernelSignature& signature) {
  if (signature.is_mangled) {
    const auto& symbols = object.symbols();
    const auto found = std::ranges::find_if(symbols, [&](const Symbol& symbol) {
      return symbol.is_function && symbol.section != 0 && symbol.name == signature.name;
    });
    if (found != symbols.end()) return {static_cast<std::uint32_t>(found - symbols.begin()), {}};
    return {0, fmt::format("the program has no code for the kernel `{}`. Build it again",
                           demangle(signature.name))};
  }
  std::vector<FunctionSymbol> functions;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t s = 0; s < object.symbols().size(); ++s) {
    const Symbol& symbol = object.symbols()[s];
    if (!symbol.is_function || symbol.section == 0) continue;
    functions.push_back({symbol.name, symbol.is_kernel});
    numbers.push_back(s);
  }
  KernelChoice choice = choose_kernel(functions, signature);
  return {numbers.empty() ? 0 : numbers[choice.number], std::move(choice.problem)};
}

}  // namespace histolab::kernels::emulator
