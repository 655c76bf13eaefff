// The output of a kernel's printf. Formats and pointers are the kernel's: %n is not a conversion
// here, as on a device, and text is read only from memory that a kernel may read.
#pragma once

#include <string>

namespace histolab::kernels::emulator {

int device_printf(const char* format, ...);  // as on a device: how many arguments there were, or -1
int device_puts(const char* text);
int device_putchar(int c);

// A string of the kernel's, up to a length that no message needs; "?" if it has none.
[[nodiscard]] std::string kernel_text(const char* text);

}  // namespace histolab::kernels::emulator
