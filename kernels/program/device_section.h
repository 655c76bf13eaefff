// The section of a program's executable that holds the device objects of its translation units.
//
// Each unit's host object carries one record; the linker concatenates them. A record is the magic
// number, the size of the object in bytes, and the object, padded to a multiple of 8 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace histolab::kernels::program {

inline constexpr const char* device_section = ".histolab_device";

// Returns the record of a device object: the content of the section in the unit's host object.
[[nodiscard]] std::string device_record(std::span<const std::uint8_t> object);

// Returns the objects of a section, in the order of the units. Returns nullopt if the section is
// not well-formed: it may come from a file that someone changed.
[[nodiscard]] std::optional<std::vector<std::span<const std::uint8_t>>> device_objects(
    std::span<const std::uint8_t> section);

}  // namespace histolab::kernels::program
