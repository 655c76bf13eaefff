// A user number that runs nothing but the children of one sandbox, for as long as its owner lives.
// Only root can give one to a child. It is taken by a socket of its name in Linux's abstract
// namespace, which nobody can bind twice and the kernel gives back when its process ends, however
// it ends. Graders in containers of one machine do not see each other's: there, it is only
// probable.
#pragma once

#include <cstdint>

#include "kernels/worker/processes/descriptor.h"
#include "reference/result.h"

namespace histolab::sandbox {

class UserNumber {
 public:
  // One that is free, beginning anywhere; any of them where none is. Error: the machine's.
  static Result<UserNumber> take();

  [[nodiscard]] std::uint32_t get() const { return number_; }

 private:
  UserNumber(std::uint32_t number, kernels::worker::Descriptor taken)
      : number_(number), taken_(std::move(taken)) {}

  std::uint32_t number_;
  kernels::worker::Descriptor taken_;
};

}  // namespace histolab::sandbox
