// How histolab-front is started: the numbers of its descriptors.
#pragma once

#include "kernels/worker/processes/dropping_privileges.h"

namespace histolab::web {

inline constexpr int front_service = 3;  // the front's end of the socket pair
inline constexpr int front_filter = kernels::worker::serve_filter;
inline constexpr int front_listening = 5;

}  // namespace histolab::web
