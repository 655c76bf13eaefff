// Numbers as a plot's axis and a caption have them.
#pragma once

#include <string>

namespace histolab::viewer {

// Six characters at most, with a prefix: "0", "950", "12.3k", "4.57T".
[[nodiscard]] std::string engineering(double number);

}  // namespace histolab::viewer
