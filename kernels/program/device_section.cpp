#include "kernels/program/device_section.h"

#include <cstring>
#include <string_view>

namespace histolab::kernels::program {
namespace {

constexpr std::string_view magic = "HLDEVICE";
constexpr std::size_t head_bytes = 16;

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

std::string device_record(std::span<const std::uint8_t> object) {
  const std::uint64_t bytes = object.size();
  std::string record(magic);
  record.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  record.append(reinterpret_cast<const char*>(object.data()), object.size());
  record.resize(head_bytes + padded(bytes));
  return record;
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
