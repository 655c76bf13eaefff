#include "kernels/emulator/runtime/device_printf.h"

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/arch/stack_room.h"
#include "kernels/emulator/lanes/current.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::size_t longest = 1023;  // bytes of one call

bool may_read(const void* p) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  return address - current.window_begin < current.window_size ||
         is_of_own_stack(address, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
}

// Faults like an access to unmapped memory. The lane ends at the position that note_place() has
// stored, and the finding is the one for a fault.
void fault() {
  const volatile char* nowhere = reinterpret_cast<const char*>(std::uintptr_t{1});
  asm volatile("" : "+r"(nowhere));  // hides the value from the compiler
  static_cast<void>(*nowhere);
}

// The parts of a conversion such as `%-8.3llx`.
struct Conversion {
  std::string flags;
  int width = -1, precision = -1;
  std::string length;
  char what = 0;
};

int number_at(const std::string& format, std::size_t& at, va_list& arguments) {
  if (at < format.size() && format[at] == '*') {
    ++at;
    return va_arg(arguments, int);
  }
  int number = 0;
  for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
    number = std::min(number * 10 + (format[at] - '0'), 1 << 20);
  return number;
}

Conversion conversion_at(const std::string& format, std::size_t& at, va_list& arguments) {
  Conversion conversion;
  const auto is_one_of = [&](const char* set) {
    return at < format.size() && std::strchr(set, format[at]) != nullptr;
  };
  while (is_one_of("-+ #0")) conversion.flags += format[at++];
  if (is_one_of("*123456789")) conversion.width = number_at(format, at, arguments);
  if (conversion.width < -1)
    conversion.flags += '-',
        conversion.width = -std::max(conversion.width, -static_cast<int>(longest));
  if (is_one_of(".")) ++at, conversion.precision = number_at(format, at, arguments);
  while (is_one_of("hljztL")) conversion.length += format[at++];
  if (at < format.size()) conversion.what = format[at++];
  conversion.width = std::min(conversion.width, static_cast<int>(longest));
  conversion.precision = std::min(conversion.precision, static_cast<int>(longest));
  return conversion;
}

template <class T>
std::string printed(const Conversion& c, const char* length, T value) {
  std::string format = "%" + c.flags;
  if (c.width >= 0) format += std::to_string(c.width);
  if (c.precision >= 0) format += "." + std::to_string(c.precision);
  format += length;
  format += c.what;
  char text[longest + 1];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(text, sizeof text, format.c_str(), value);
#pragma GCC diagnostic pop
  return text;
}

// Appends a formatted argument. Returns false if the conversion is invalid.
bool append(std::string& text, const Conversion& c, va_list& arguments) {
  const bool is_long = c.length.find_first_of("ljzt") != std::string::npos;
  switch (c.what) {
    case 'd':
    case 'i':
      text += is_long ? printed(c, "ll", va_arg(arguments, long long))
                      : printed(c,
                                c.length == "hh"  ? "hh"
                                : c.length == "h" ? "h"
                                                  : "",
                                va_arg(arguments, int));
      return true;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      text += is_long ? printed(c, "ll", va_arg(arguments, unsigned long long))
                      : printed(c,
                                c.length == "hh"  ? "hh"
                                : c.length == "h" ? "h"
                                                  : "",
                                va_arg(arguments, unsigned));
      return true;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      text += c.length == "L" ? printed(c, "L", va_arg(arguments, long double))
                              : printed(c, "", va_arg(arguments, double));
      return true;
    case 'c': text += printed(c, "", va_arg(arguments, int)); return true;
    case 'p': text += printed(c, "", va_arg(arguments, void*)); return true;
    case 's': {
      const char* const string = va_arg(arguments, const char*);
      if (string != nullptr && !may_read(string)) fault();
      text += printed(c, "", string == nullptr ? "(null)" : kernel_text(string).c_str());
      return true;
    }
    default: return false;
  }
}

}  // namespace

std::string kernel_text(const char* text) {
  if (!may_read(text)) return "?";
  return {text, strnlen(text, longest)};
}

int device_printf(const char* format, ...) {
  need_stack_room();
  Lanes::note_place();
  if (!may_read(format)) return -1;
  const std::string words = kernel_text(format);
  std::string text;
  int conversions = 0;
  va_list arguments;
  va_start(arguments, format);
  for (std::size_t at = 0; at < words.size();) {
    if (words[at] != '%') {
      text += words[at++];
    } else if (words.compare(at, 2, "%%") == 0) {
      text += '%', at += 2;
    } else if (++conversions, !append(text, conversion_at(words, ++at, arguments), arguments)) {
      break;  // the types of further arguments are unknown
    }
  }
  va_end(arguments);
  if (text.size() > longest) text.resize(longest);
  current.runner->print(text);
  return conversions;
}

int device_puts(const char* text) {
  need_stack_room();
  Lanes::note_place();
  current.runner->print(kernel_text(text));
  current.runner->print("\n");
  return 1;
}

int device_putchar(int c) {
  need_stack_room();
  const char text[2] = {static_cast<char>(c), 0};
  current.runner->print(text);
  return c;
}

}  // namespace histolab::kernels::emulator
