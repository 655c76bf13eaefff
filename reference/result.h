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

 private:
  std::variant<T, Error> state_;
};

// The Result of a function that returns no value.
struct Done {};
using Status = Result<Done>;

// Returns the Error of the Status from the calling function if there is one.
#define TRY(...)                                                  \
  do {                                                            \
    if (auto tried = (__VA_ARGS__); !tried) return tried.error(); \
  } while (false)

}  // namespace histolab
