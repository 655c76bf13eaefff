// The addresses of a whole CUDA program's device memory.
//
// The program and every launch of one of its kernels see this memory at the same addresses. It is
// one sparse file: the byte at `offset` of the file has the address program_memory_begin + offset.
// A second file has one bit per byte: whether the byte was written. docs/emulator.md, "Programs",
// describes how a launch uses both.
#pragma once

#include <cstdint>

namespace histolab::kernels::program {

// A launch reserves its window here. The address is free in programs that are built with
// AddressSanitizer, too.
inline constexpr std::uint64_t program_window_begin = 0x2000'0000'0000;

// Behind the launch's stack, image, shared memory and heap. Near enough to the image for code that
// addresses a variable by a 32-bit distance: variables belong at the file's begin.
inline constexpr std::uint64_t program_memory_begin = program_window_begin + (1ull << 30);

// Sizes of the two files, in bytes.
inline constexpr std::uint64_t program_memory_bytes = 32ull << 30;
inline constexpr std::uint64_t program_written_bytes = program_memory_bytes / 8;

// Size limit of one allocation: the emulator has 32 bits for an offset in one.
inline constexpr std::uint64_t most_allocation_bytes = 4ull << 30;

// Bytes of the file in which no other allocation begins or ends, on each side of an allocation. Two
// neighbours are twice as far apart.
inline constexpr std::uint64_t program_red_zone = 64 << 10;
inline constexpr std::uint64_t allocation_alignment = 256;

// Variables (`__device__`, `__constant__`, `__managed__`) must end below this offset in the file.
inline constexpr std::uint64_t most_variables_end = 512ull << 20;

}  // namespace histolab::kernels::program
