#include "kernels/emulator/module/placement.h"

#include <algorithm>
#include <cstring>

#include "kernels/emulator/memory/built_in_variables.h"
#include "kernels/kernel_name.h"
#include "kernels/program/memory_layout.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t most_shared_bytes = 1 << 20;  // more than any device gives a block
constexpr std::uint64_t beyond_measure = std::uint64_t{1} << 62;
constexpr std::uint64_t data_bytes = Window::image_bytes - Window::text_bytes;

// The address of the next variable in the banks of shared memory. Clamped: the sum must not wrap
// around to 0.
std::uint64_t end_in_banks(std::uint64_t begin, const Section& section) {
  const std::uint64_t at = round_up(begin, section.alignment);
  return std::min(at + std::min(section.bytes, beyond_measure), beyond_measure);
}

class Placer {
 public:
  Placer(const KernelParts& parts, Window& window, const KeptVariables& kept)
      : parts_(parts),
        window_(window),
        kept_(kept),
        data_(window.image() + Window::text_bytes, data_bytes),
        shared_(window.shared(), Window::shared_bytes),
        variable_red_zone_(red_zone(false)),
        shared_red_zone_(red_zone(true)),
        placed_{.address = std::vector<std::uint8_t*>(parts.object().sections().size(), nullptr),
                .is_kept = std::vector<bool>(parts.object().sections().size()),
                .text = MemoryRange(window.image(), Window::text_bytes),
                .problem = {}} {}

  Placement place(std::uint32_t dynamic_shared_bytes) {
    const std::vector<std::uint32_t> order = order_of_image();
    if (!place_image(order) || !place_shared(dynamic_shared_bytes)) return std::move(placed_);
    for (const Symbol& symbol : parts_.object().symbols())
      if (is_variable(symbol)) add_variable(symbol);
    for (const std::uint32_t i : order)
      if (is_read_only(parts_.section(i))) add_literals(i);
    return std::move(placed_);
  }

 private:
  bool refuse(const char* why) {
    placed_.problem = why;
    return false;
  }

  // Returns the size of each red zone in bytes, as large as the room allows. So an index far beyond
  // its variable is still reported as that variable's.
  [[nodiscard]] std::uint64_t red_zone(bool shared) const {
    std::uint64_t count = 1, bytes = 0;
    for (const std::uint32_t i : parts_.sections()) {
      const Section& section = parts_.section(i);
      if (section.executable || section.is_thread_local != shared) continue;
      ++count;
      bytes += std::min(section.bytes, Window::image_bytes);
    }
    const std::uint64_t room = shared ? Window::shared_bytes : data_bytes;
    const std::uint64_t least = shared ? 4096 : 256;
    const std::uint64_t most = shared ? 256 * 1024 : 64 * 1024;
    const std::uint64_t each = (room - std::min(room, bytes)) / 2 / (2 * count) / 4096 * 4096;
    return std::clamp(each, least, most);
  }

  // Returns the sections of text and data. Constants come first, so that one comparison decides
  // whether an address is constant.
  [[nodiscard]] std::vector<std::uint32_t> order_of_image() const {
    std::vector<std::uint32_t> order;
    for (const bool constants : {true, false})
      for (const std::uint32_t i : parts_.sections())
        if (!parts_.section(i).is_thread_local && is_read_only(parts_.section(i)) == constants)
          order.push_back(i);
    return order;
  }

  bool place_image(const std::vector<std::uint32_t>& order) {
    const std::uint64_t data = window_.begin() + Window::text_bytes;
    placed_.constants_end = data;
    for (const std::uint32_t i : order) {
      const Section& section = parts_.section(i);
      std::uint8_t* const kept = find_kept(i);
      if (kept != nullptr && !is_read_only(section)) {
        placed_.address[i] = kept;
        placed_.is_kept[i] = true;
        continue;
      }
      std::uint8_t* const at =
          section.executable ? placed_.text.take(parts_.bytes(i), section.alignment)
                             : data_.take(section.bytes, section.alignment, variable_red_zone_);
      if (at == nullptr)
        return refuse(
            "the kernel's code or its variables are too large for the emulator (64 KiB of code, 16 "
            "MiB of variables)");
      placed_.address[i] = at;
      if (const auto code = parts_.code().find(i); code != parts_.code().end())
        std::ranges::copy(code->second.bytes, at);
      else if (kept != nullptr)
        std::memcpy(at, kept, section.bytes);
      else if (!section.is_zero)
        std::memcpy(at, section.data, section.bytes);
      if (is_read_only(section)) placed_.constants_end = data + data_.used();
    }
    place_kept();
    return true;
  }

  // Variables that the kernel does not name can be its arguments.
  void place_kept() {
    if (kept_.empty()) return;
    for (std::uint32_t i = 0; i < parts_.object().sections().size(); ++i) {
      const Section& section = parts_.section(i);
      if (placed_.address[i] != nullptr || !section.allocated || section.executable ||
          section.is_thread_local || is_read_only(section))
        continue;
      placed_.address[i] = find_kept(i);
      placed_.is_kept[i] = placed_.address[i] != nullptr;
    }
  }

  // Returns the address of a section whose variables are kept, or nullptr.
  [[nodiscard]] std::uint8_t* find_kept(std::uint32_t section) const {
    if (kept_.empty() || parts_.section(section).executable) return nullptr;
    for (const Symbol& symbol : parts_.object().symbols())
      if (symbol.section == section && symbol.bytes > 0)
        if (const auto found = kept_.find(symbol.name); found != kept_.end())
          return found->second - symbol.value;
    return nullptr;
  }

  bool place_shared(std::uint32_t dynamic_shared_bytes) {
    for (const std::uint32_t i : parts_.sections())
      if (parts_.section(i).is_thread_local)
        placed_.static_shared_bytes = end_in_banks(placed_.static_shared_bytes, parts_.section(i));
    if (placed_.static_shared_bytes + dynamic_shared_bytes > most_shared_bytes) return true;
    for (const std::uint32_t i : parts_.sections()) {
      const Section& section = parts_.section(i);
      if (!section.is_thread_local) continue;
      placed_.address[i] = shared_.take(
          section.bytes, std::max<std::uint64_t>(section.alignment, 256), shared_red_zone_);
      if (placed_.address[i] == nullptr)
        return refuse(
            "there are too many __shared__ variables for the emulator. Put them into one array");
    }
    // Always the maximum: an inspection does not know the size of the launch.
    placed_.dynamic_shared = shared_.take(most_shared_bytes, 1024, shared_red_zone_);
    if (placed_.dynamic_shared == nullptr)
      return refuse(
          "there are too many __shared__ variables in addition to the dynamic shared memory. Put "
          "them into one array");
    add_dynamic_shared(dynamic_shared_bytes);
    return true;
  }

  // Returns whether the symbol is a variable of a section that is loaded.
  [[nodiscard]] bool is_variable(const Symbol& symbol) const {
    return symbol.section != 0 && !symbol.is_function && symbol.bytes > 0 &&
           placed_.address[symbol.section] != nullptr;
  }

  void add_dynamic_shared(std::uint32_t bytes) {
    const auto& symbols = parts_.object().symbols();
    const auto declared = std::ranges::find_if(symbols, [](const Symbol& symbol) {
      return symbol.is_thread_local && symbol.section == 0 && !built_in_variable(symbol.name) &&
             !demangle(symbol.name).empty();
    });
    if (declared == symbols.end()) return;
    Region region;
    region.role = Region::Role::shared_dynamic;
    region.space = Space::shared;
    region.name = last_name(demangle(declared->name));
    region.begin = placed_.dynamic_shared;
    region.size = bytes;
    region.bank_base = round_up(placed_.static_shared_bytes, 16);
    region.red_zone_before = region.red_zone_after = shared_red_zone_;
    window_.add(std::move(region));
  }

  // Adds a region for a section of literals, which have no symbols.
  void add_literals(std::uint32_t section) {
    if (std::ranges::any_of(parts_.object().symbols(), [&](const Symbol& symbol) {
          return symbol.section == section && symbol.bytes > 0;
        }))
      return;
    Region region;
    region.role = Region::Role::device_variable;
    region.is_const = true;
    region.name = "a literal";
    region.begin = placed_.address[section];
    region.size = parts_.section(section).bytes;
    region.red_zone_before = region.red_zone_after = variable_red_zone_;
    window_.add(std::move(region));
  }

  void add_variable(const Symbol& symbol) {
    const Section& section = parts_.section(symbol.section);
    const bool shared = symbol.is_thread_local;
    Region region;
    region.role = Region::Role::device_variable;
    if (is_constant(section)) region.role = Region::Role::constant;
    if (shared) region.role = Region::Role::shared_static;
    region.is_const = !shared && is_read_only(section);
    region.space = shared ? Space::shared : Space::global;
    region.name = last_name(demangle(symbol.name));
    region.begin = placed_.address[symbol.section] + symbol.value;
    region.size = std::min(symbol.bytes, section.bytes - symbol.value);
    region.bank_base = shared ? begin_in_banks(symbol.section) : 0;
    region.red_zone_before = region.red_zone_after = shared ? shared_red_zone_ : variable_red_zone_;
    if (placed_.is_kept[symbol.section])
      region.red_zone_before = region.red_zone_after = program::program_red_zone;
    leave_room_for_neighbours(symbol, region);
    window_.add(std::move(region));
  }

  [[nodiscard]] std::uint64_t begin_in_banks(std::uint32_t section) const {
    std::uint64_t begin = 0;
    for (const std::uint32_t i : parts_.sections())
      if (i < section && parts_.section(i).is_thread_local)
        begin = end_in_banks(begin, parts_.section(i));
    return begin;
  }

  // Red zones end at the neighbours: `__constant__ int a, b;` share a section, and variables that
  // are kept can have any neighbour.
  void leave_room_for_neighbours(const Symbol& symbol, Region& region) const {
    const auto distance = [](const std::uint8_t* from, const std::uint8_t* to) {
      return static_cast<std::uint64_t>(to - std::min(to, from));
    };
    const bool is_kept = placed_.is_kept[symbol.section];
    for (const Symbol& other : parts_.object().symbols()) {
      if (!is_variable(other) ||
          (other.section != symbol.section && !(is_kept && placed_.is_kept[other.section])))
        continue;
      const std::uint8_t* const at = placed_.address[other.section] + other.value;
      if (at > region.begin)
        region.red_zone_after =
            std::min(region.red_zone_after, distance(region.begin + symbol.bytes, at));
      if (at < region.begin)
        region.red_zone_before =
            std::min(region.red_zone_before, distance(at + other.bytes, region.begin));
    }
  }

  const KernelParts& parts_;
  Window& window_;
  const KeptVariables& kept_;
  MemoryRange data_, shared_;
  const std::uint64_t variable_red_zone_, shared_red_zone_;
  Placement placed_;
};

}  // namespace

Placement place_sections(const KernelParts& parts, std::uint32_t dynamic_shared_bytes,
                         Window& window, const KeptVariables& kept) {
  return Placer(parts, window, kept).place(dynamic_shared_bytes);
}

}  // namespace histolab::kernels::emulator
