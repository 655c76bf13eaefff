// Formats numbers for the axis of a plot and for captions.
#pragma once

#include <string>

namespace histolab::viewer {

// Returns at most six characters, with an SI prefix: "0", "950", "12.3k", "4.57T".
[[nodiscard]] std::string engineering(double number);

}  // namespace histolab::viewer
