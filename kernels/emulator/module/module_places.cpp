// ModuleLoader: places a kernel's code and variables, with red zones between them.
#include <algorithm>
#include <cstring>

#include "kernels/emulator/module/module_loader.h"
#include "kernels/kernel_name.h"

#include "kernels/emulator/memory/built_in_variables.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t most_shared_bytes = 1 << 20;  // more than any device gives a block
constexpr std::uint64_t beyond_measure = std::uint64_t{1} << 62;

}  // namespace

// Returns the size of each red zone in bytes, as large as the room allows. So an index far beyond
// its variable is still reported as that variable's.
std::uint64_t ModuleLoader::red_zone(bool shared) const {
  std::uint64_t count = 1, bytes = 0;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i) {
    const Section& section = object_.sections()[i];
    if (!reachable_[i] || section.executable || section.is_thread_local != shared) continue;
    ++count;
    bytes += std::min(section.bytes, Window::image_bytes);
  }
  const std::uint64_t room =
      shared ? Window::shared_bytes : Window::image_bytes - Window::text_bytes;
  const std::uint64_t least = shared ? 4096 : 256, most = shared ? 256 * 1024 : 64 * 1024;
  const std::uint64_t each = (room - std::min(room, bytes)) / 2 / (2 * count) / 4096 * 4096;
  return std::clamp(each, least, most);
}

Status ModuleLoader::place_sections() {
  variable_red_zone_ = red_zone(false), shared_red_zone_ = red_zone(true);
  // Constants come first, so that one comparison decides whether an address is constant.
  std::vector<std::uint32_t> order;
  for (const bool constants : {true, false})
    for (std::uint32_t i = 0; i < reachable_.size(); ++i)
      if (reachable_[i] && !object_.sections()[i].is_thread_local &&
          is_read_only(object_.sections()[i]) == constants)
        order.push_back(i);
  module_.constants_end = window_.begin() + Window::text_bytes;
  for (const std::uint32_t i : order) {
    const Section& section = object_.sections()[i];
    address_[i] = section.executable
                      ? text_.take(bytes_of(i), section.alignment)
                      : data_.take(section.bytes, section.alignment, variable_red_zone_);
    if (address_[i] == nullptr)
      return refuse(
                 "the kernel's code or its variables are too large for the emulator (64 KiB of "
                 "code, 16 MiB of variables)"),
             Done{};
    if (const auto code = code_.find(i); code != code_.end())
      std::ranges::copy(code->second.bytes, address_[i]);
    else if (!section.is_zero)
      std::memcpy(address_[i], section.data, section.bytes);
    if (is_read_only(section))
      module_.constants_end = window_.begin() + Window::text_bytes + data_.used();
  }
  TRY(place_shared());
  for (const Symbol& symbol : object_.symbols())
    if (symbol.section != 0 && symbol.section < reachable_.size() && reachable_[symbol.section] &&
        !symbol.is_function && symbol.bytes > 0)
      add_variable(symbol, symbol.section);
  for (const std::uint32_t i : order)
    if (is_read_only(object_.sections()[i])) add_literals(i);
  return Done{};
}

// Adds a region for a section of literals, which have no symbols.
void ModuleLoader::add_literals(std::uint32_t section) {
  if (std::ranges::any_of(object_.symbols(), [&](const Symbol& symbol) {
        return symbol.section == section && symbol.bytes > 0;
      }))
    return;
  Region region;
  region.role = Region::Role::device_variable;
  region.is_const = true;
  region.name = "a literal";
  region.begin = address_[section];
  region.size = object_.sections()[section].bytes;
  region.red_zone_before = region.red_zone_after = variable_red_zone_;
  window_.add(std::move(region));
}

Status ModuleLoader::place_shared() {
  std::uint64_t bank_base = 0;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i) {
    const Section& section = object_.sections()[i];
    if (!reachable_[i] || !section.is_thread_local) continue;
    bank_base =
        std::min(round_up(bank_base, section.alignment) + std::min(section.bytes, beyond_measure),
                 beyond_measure);  // clamped: the sum must not wrap around to 0
  }
  module_.static_shared_bytes = bank_base;
  if (bank_base + options_.dynamic_shared_bytes > most_shared_bytes)
    return Done{};  // over the limit: never launched
  bank_base = 0;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i) {
    const Section& section = object_.sections()[i];
    if (!reachable_[i] || !section.is_thread_local) continue;
    address_[i] = shared_.take(section.bytes, std::max<std::uint64_t>(section.alignment, 256),
                               shared_red_zone_);
    if (address_[i] == nullptr)
      return refuse(
                 "there are too many __shared__ variables for the emulator. Put them into one "
                 "array"),
             Done{};
    bank_base = round_up(bank_base, section.alignment) + section.bytes;
  }
  std::string dynamic_name;
  for (const auto& symbol : object_.symbols())
    if (symbol.is_thread_local && symbol.section == 0 && !built_in_variable(symbol.name) &&
        dynamic_name.empty())
      dynamic_name = demangle(symbol.name);
  dynamic_shared_ = shared_.take(
      most_shared_bytes, 1024,
      shared_red_zone_);  // always the maximum: an inspection does not know the size of the launch
  if (dynamic_shared_ == nullptr)
    return refuse(
               "there are too many __shared__ variables in addition to the dynamic shared memory. "
               "Put them into one array"),
           Done{};
  if (dynamic_name.empty()) return Done{};
  Region region;
  region.role = Region::Role::shared_dynamic;
  region.space = Space::shared;
  region.name = last_name(dynamic_name);
  region.begin = dynamic_shared_;
  region.size = options_.dynamic_shared_bytes;
  region.bank_base = round_up(module_.static_shared_bytes, 16);
  region.red_zone_before = region.red_zone_after = shared_red_zone_;
  window_.add(std::move(region));
  return Done{};
}

void ModuleLoader::add_variable(const Symbol& symbol, std::uint32_t section) {
  if (address_[section] == nullptr) return;
  const bool shared = symbol.is_thread_local;
  const std::uint64_t red_zone = shared ? shared_red_zone_ : variable_red_zone_;
  const std::string full = demangle(symbol.name);
  Region region;
  region.role = shared                                     ? Region::Role::shared_static
                : is_constant(object_.sections()[section]) ? Region::Role::constant
                                                           : Region::Role::device_variable;
  region.is_const = !shared && is_read_only(object_.sections()[section]);
  region.space = shared ? Space::shared : Space::global;
  region.name = last_name(full);
  region.begin = address_[section] + symbol.value;
  region.size = std::min(symbol.bytes, object_.sections()[section].bytes - symbol.value);
  region.bank_base = 0;
  if (shared)
    for (std::uint32_t i = 0; i < section; ++i)
      if (reachable_[i] && object_.sections()[i].is_thread_local)
        region.bank_base = round_up(region.bank_base, object_.sections()[i].alignment) +
                           object_.sections()[i].bytes;
  region.red_zone_before = region.red_zone_after = red_zone;
  for (const Symbol& other :
       object_.symbols()) {  // in one section, as for `__constant__ int a, b;`
    if (other.section != section || other.bytes == 0 || other.is_function) continue;
    if (other.value > symbol.value)
      region.red_zone_after = std::min(
          region.red_zone_after, other.value - std::min(other.value, symbol.value + symbol.bytes));
    if (other.value < symbol.value)
      region.red_zone_before = std::min(
          region.red_zone_before, symbol.value - std::min(symbol.value, other.value + other.bytes));
  }
  window_.add(std::move(region));
}

}  // namespace histolab::kernels::emulator
