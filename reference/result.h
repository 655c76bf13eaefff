// Result<T>: the return type of a function that can fail because of the environment.
//
// An Error means that the environment failed: a missing file, a failed fork, a broken pipe.
// Verdicts about a student's kernel are plain values, never Errors. A Result holds either a value
// or an Error. Reading the other one is a bug (assert). No exception crosses a module's border.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace histolab {

// One sentence for people: the failed action, its object, and the remedy.
struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return assert(ok()), *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& { return assert(ok()), *std::get_if<0>(&state_); }
  [[nodiscard]] T&& value() && { return assert(ok()), std::move(*std::get_if<0>(&state_)); }
  [[nodiscard]] const Error& error() const { return assert(!ok()), *std::get_if<1>(&state_); }

  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> state_;
};

// The Result of a function that returns no value.
struct Done {};
using Status = Result<Done>;

// TRY(EXPRESSION) evaluates a Result<T> or a Status once. If it holds an Error, the calling
// function returns that Error. Otherwise TRY yields the value by move, as a T. It may be part of a
// larger expression and of another TRY:
//
//   TRY(write_file(path, text));
//   const Config config = TRY(parse_config(TRY(read_file(path))));
//
// The calling function must return a type that an Error converts to. Do not use TRY behind another
// element of a braced list: the early return would leak that element. Temporaries of EXPRESSION end
// with the TRY, so the value must not refer to them.
//
// This is a GNU statement expression (g++ and clang). Each variable has a number of its own,
// because a nested TRY would shadow it (-Wshadow).
#define TRY(...) HISTOLAB_TRY(__COUNTER__, __VA_ARGS__)
#define HISTOLAB_TRY(number, ...) HISTOLAB_NUMBERED_TRY(number, __VA_ARGS__)
#define HISTOLAB_NUMBERED_TRY(number, ...)              \
  __extension__({                                       \
    auto tried_##number = (__VA_ARGS__);                \
    if (!tried_##number) return tried_##number.error(); \
    *std::move(tried_##number);                         \
  })

}  // namespace histolab
