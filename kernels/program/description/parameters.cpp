// Places of a kernel's arguments in registers and on the stack, as the System V ABI says.
#include <algorithm>
#include <utility>

#include "kernels/program/description/description.h"

namespace histolab::kernels::program {
namespace {

using emulator::FunctionParameter;
using Part = FunctionParameter::Part;
using Where = ArgumentPlace::Where;

constexpr std::uint32_t integer_registers = 6, vector_registers = 8;

// Hands out registers and the stack to the arguments of a call, in order.
class Places {
 public:
  std::vector<ArgumentPlace> take(std::uint32_t argument, const FunctionParameter& of) {
    const auto count = [&](Part part) {
      return static_cast<std::uint32_t>(std::ranges::count(of.parts, part));
    };
    const auto bytes = static_cast<std::uint32_t>(of.bytes);
    const bool fits = !of.in_memory && integers_ + count(Part::integer) <= integer_registers &&
                      vectors_ + count(Part::floating) <= vector_registers;
    const bool is_empty = count(Part::nothing) == of.parts.size() && !of.in_memory;
    if (!fits && of.alignment > 8)
      stack_ = (stack_ + of.alignment - 1) / of.alignment * of.alignment;
    std::vector<ArgumentPlace> places;
    for (std::uint32_t at = 0; at < bytes && !is_empty; at += 8) {
      ArgumentPlace place{argument, at, std::min(8u, bytes - at), Where::stack, stack_ + at};
      const Part part = fits ? of.parts[at / 8] : Part::nothing;
      if (fits && part == Part::nothing) continue;  // padding
      if (part == Part::integer) place.where = Where::integer, place.index = integers_++;
      if (part == Part::floating) place.where = Where::vector, place.index = vectors_++;
      places.push_back(place);
    }
    if (!fits) stack_ += (bytes + 7) / 8 * 8;
    return places;
  }
  [[nodiscard]] bool is_full() const { return stack_ > emulator::RawArguments::most_stack_bytes; }

 private:
  std::uint32_t integers_ = 0, vectors_ = 0, stack_ = 0;
};

void note_pointers(std::vector<ArgumentPlace>& places, const FunctionParameter& of) {
  using Holds = ArgumentPlace::Holds;
  for (const FunctionParameter::Pointer& pointer : of.pointers) {
    const auto place = std::ranges::find(places, pointer.offset, &ArgumentPlace::offset);
    if (place == places.end()) continue;
    // Members of a union share a place.
    place->holds =
        std::max(place->holds, pointer.to_const ? Holds::pointer_to_const : Holds::pointer);
  }
}

}  // namespace

std::vector<KernelParameter> parameters_with_places(std::span<const FunctionParameter> parameters) {
  std::vector<KernelParameter> made;
  Places places;
  bool known = true;
  for (const FunctionParameter& each : parameters) {
    const auto argument = static_cast<std::uint32_t>(made.size());
    KernelParameter& parameter = made.emplace_back();
    parameter.name = each.name;
    parameter.is_pointer = each.is_pointer;
    parameter.to_const = each.to_const;
    constexpr std::uint64_t most_bytes = 1 << 20;
    parameter.element_bytes =
        each.element_bytes <= most_bytes ? static_cast<std::uint32_t>(each.element_bytes) : 0;
    known &= each.is_known && each.bytes <= emulator::RawArguments::most_stack_bytes;
    if (!known) continue;
    if (each.by_reference) {
      FunctionParameter address;
      address.bytes = 8;
      address.parts = {Part::integer};
      static_cast<void>(places.take(argument, address));
      continue;
    }
    std::vector<ArgumentPlace> taken = places.take(argument, each);
    known = !places.is_full();
    if (!known) continue;
    note_pointers(taken, each);
    parameter.bytes = static_cast<std::uint32_t>(each.bytes);
    parameter.places = std::move(taken);
  }
  return made;
}

}  // namespace histolab::kernels::program
