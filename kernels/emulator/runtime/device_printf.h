// The output of a kernel's printf. Formats and pointers are the kernel's: %n is not a conversion
// here, as on a device, and text is read only from memory that a kernel may read.
#pragma once

#include <string>

namespace histolab::kernels::emulator {

// Returns the number of conversions, as on a device. Returns -1 if the format cannot be read.
int device_printf(const char* format, ...);
int device_puts(const char* text);
int device_putchar(int c);

// Returns a string of the kernel, cut at 1023 bytes. Returns "?" if the kernel may not read it.
[[nodiscard]] std::string kernel_text(const char* text);

}  // namespace histolab::kernels::emulator
