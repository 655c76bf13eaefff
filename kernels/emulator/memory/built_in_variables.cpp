#include "kernels/emulator/memory/built_in_variables.h"

#include <array>

namespace histolab::kernels::emulator {

constinit thread_local Uint3 thread_index{};

namespace {

constexpr int lanes_of_a_warp = 32;
thread_local Uint3 block_index{}, block_shape{}, grid_shape{};
thread_local int warp_size = lanes_of_a_warp;

struct Variable {
  std::string_view symbol;
  const void* at;
  std::size_t bytes;
};

// The built-in variables of the calling OS thread.
std::array<Variable, 5> variables() {
  const auto of = [](std::string_view symbol, const auto& variable) {
    return Variable{symbol, &variable, sizeof variable};
  };
  return {of("histolab_threadIdx", thread_index), of("histolab_blockIdx", block_index),
          of("histolab_blockDim", block_shape), of("histolab_gridDim", grid_shape),
          of("histolab_warpSize", warp_size)};
}

}  // namespace

void set_block_index(Uint3 block) { block_index = block; }

void set_shape(Uint3 grid, Uint3 block) {
  grid_shape = grid;
  block_shape = block;
}

std::optional<std::int64_t> built_in_variable(std::string_view symbol) {
  for (const Variable& each : variables())
    if (each.symbol == symbol)
      return static_cast<const char*>(each.at) -
             static_cast<const char*>(__builtin_thread_pointer());
  return std::nullopt;
}

bool is_built_in_variable(std::uint64_t address, std::uint64_t bytes) {
  for (const Variable& each : variables()) {
    const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(each.at);
    if (offset < each.bytes && offset + bytes <= each.bytes) return true;
  }
  return false;
}

}  // namespace histolab::kernels::emulator
