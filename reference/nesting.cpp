#include "reference/nesting.h"

namespace histolab {

bool nests_too_deep(std::string_view json) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{') && ++depth > deepest_nesting)
      return true;
    else if (!in_string && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

}  // namespace histolab
