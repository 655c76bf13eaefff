// Quantities as people write them: "0.01 G/s", "10 M atomics/s", "1e7", "128 GB/s", "50 %", "1 000
// 000".
//
// Inside, a value has one of these units, those of reference/closed_forms.h: nanoseconds, events
// per second, bytes, bytes per second, a share from 0 to 1, or a plain count. A Unit says which,
// and by how much the number that a person sees is multiplied to get there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::quiz {

struct Unit {
  enum class Kind { count, rate, time, share };
  std::string text;  // as it was written: "G atomics/s"; may be empty
  Kind kind = Kind::count;
  std::string noun;   // "atomics", "bytes"; empty: of whatever is counted
  double factor = 1;  // "GB/s": 1e9; "%": 0.01; "us": 1000
};

// "atomics/s", "GFLOPS", "ns", "%", "sectors", ""; Error: what it is not, and what is known.
[[nodiscard]] Result<Unit> read_unit(const std::string& text);

// What a person may have meant: a number without a unit is taken in `asked` and in `asked` without
// its prefix (or without the percent sign), so it has two readings. Error: a sentence about what
// was not understood, or which unit is wrong; it says nothing about the number.
[[nodiscard]] Result<std::vector<double>> read_quantity(const std::string& text, const Unit& asked);

// Several plain numbers: "1 2 3", "{1, 2, 3}", "1-3", "1 and 2". Ascending, each once.
[[nodiscard]] Result<std::vector<double>> read_numbers(const std::string& text);

// "10 M atomics/s", "128 GB/s", "50 %", "16 387 atomics": whole numbers whole, else four digits.
[[nodiscard]] std::string written(double value, const Unit& unit);
[[nodiscard]] std::string written(double value);  // without a unit

}  // namespace histolab::quiz
