// Descriptions: each value that crosses a boundary lists its fields once, for all readers and
// writers.
//
//   template <class F, Describes<Finding> Value>
//   void fields(F& f, Value& finding) {
//     f("kind", finding.kind);
//     f.or_null("line", finding.line, 1);
//   }
//
// A writer passes a const value, and a reader passes a value to fill in. F::writes says which of
// the two it is. F decides the format, and how much it trusts its source:
//
//   f(key, value, limits...)   required
//   f.or_null(...)             null if the value is empty or 0
//   f.if_set(...)              missing if the value is empty or 0
//   f.newer(...)               missing in older documents, which keeps the value
//   f.lines(key, text, limit)  a text that may have several lines
//   f.exact(key, text)         a text that is compared or opened, so that no reader may clean it
//   f.row(key, numbers...)     an array of whole numbers
//   f.schema(name)             the name and version of the document's format
//   f.group(key, [&](auto& inside) {...})    an object; also group_or_null(key, is_null, ...)
//
// The limits of a whole number are its least and greatest value. A text has its greatest length in
// bytes, and a list its greatest size. Not every F enforces the limits of texts and lists.
#pragma once

#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

namespace histolab {

template <class Value, class Of>
concept Describes = std::same_as<std::remove_const_t<Value>, Of>;

// Returns the value of an enum with that name(), or nullopt for an unknown word. The enum's values
// are 0, 1, ..., with at most 32 of them. For any other value, name() returns "" or a known name.
template <class Enum>
[[nodiscard]] std::optional<Enum> value_named(std::string_view word) {
  for (int i = 0; i < 32 && !word.empty(); ++i)
    if (name(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
  return std::nullopt;
}

// Returns whether or_null() and if_set() leave the value out.
template <class T>
[[nodiscard]] bool is_unset(const T& value) {
  if constexpr (requires { value.has_value(); })
    return !value.has_value();
  else if constexpr (requires { value.empty(); })
    return value.empty();
  else
    return !(value > T{});
}

}  // namespace histolab
