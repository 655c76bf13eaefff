// Result<T>: what a function returns that may fail for the machine's sake.
//
// An Error is something the *environment* did (a file is missing, a fork failed, a pipe broke). It is never a
// verdict about a student's kernel; verdicts are plain values. A Result holds exactly one of the two, and reading
// the one that is not there is a bug of ours (assert). No exception crosses a module's border.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace histolab {

// One sentence for a person: what failed, on what, and what to do about it.
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

// The Result of something that is done only for its effect.
struct Done {};
using Status = Result<Done>;

}  // namespace histolab
