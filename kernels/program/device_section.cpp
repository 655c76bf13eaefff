#include "kernels/program/device_section.h"

#include <cstring>
#include <string_view>

namespace histolab::kernels::program {
namespace {

constexpr std::string_view magic = "HLDEVICE", unit_magic = "HLUNITNO";
constexpr std::size_t head_bytes = 16, unit_bytes = 16;

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

std::string device_record(std::span<const std::uint8_t> object, std::uint64_t unit) {
  const std::uint64_t bytes = object.size() + unit_bytes;
  std::string record(magic);
  record.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  record.append(reinterpret_cast<const char*>(object.data()), object.size());
  record.append(unit_magic);
  record.append(reinterpret_cast<const char*>(&unit), sizeof unit);
  record.resize(head_bytes + padded(bytes));
  return record;
}

std::uint64_t unit_of(std::span<const std::uint8_t> object) {
  if (object.size() < unit_bytes) return 0;
  const std::span<const std::uint8_t> end = object.last(unit_bytes);
  if (std::memcmp(end.data(), unit_magic.data(), unit_magic.size()) != 0) return 0;
  std::uint64_t unit = 0;
  std::memcpy(&unit, end.data() + unit_magic.size(), sizeof unit);
  return unit;
}

std::optional<std::vector<std::span<const std::uint8_t>>> device_objects(
    std::span<const std::uint8_t> section) {
  std::vector<std::span<const std::uint8_t>> objects;
  while (!section.empty()) {
    if (section.size() < head_bytes || std::memcmp(section.data(), magic.data(), magic.size()) != 0)
      return std::nullopt;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, section.data() + magic.size(), sizeof bytes);
    section = section.subspan(head_bytes);
    if (bytes > section.size() || padded(bytes) > section.size()) return std::nullopt;
    objects.push_back(section.first(bytes));
    section = section.subspan(padded(bytes));
  }
  return objects;
}

}  // namespace histolab::kernels::program
