// UserNumber: a user number that only the children of one sandbox use while this object lives. Only
// root can give it to a child. It is reserved by a socket with its name in Linux's abstract
// namespace. A name can be bound only once, and the kernel frees it when the process ends, in
// whatever way. Graders in different containers on one machine do not see each other's sockets, so
// there it is only probably unique.
#pragma once

#include <cstdint>

#include "kernels/worker/processes/descriptor.h"
#include "reference/result.h"

namespace histolab::sandbox {

class UserNumber {
 public:
  // Takes a free number, starting the search at a random one. If all are taken, shares one. Returns
  // an Error if the machine fails.
  static Result<UserNumber> take();

  [[nodiscard]] std::uint32_t get() const { return number_; }

 private:
  UserNumber(std::uint32_t number, kernels::worker::Descriptor taken)
      : number_(number), taken_(std::move(taken)) {}

  std::uint32_t number_;
  kernels::worker::Descriptor taken_;
};

}  // namespace histolab::sandbox
