#include "kernels/emulator/code/kernel_symbol.h"

#include <vector>

#include "kernels/kernel_name.h"

namespace histolab::kernels::emulator {

KernelSymbol find_kernel(const ObjectFile& object, const KernelSignature& signature) {
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
