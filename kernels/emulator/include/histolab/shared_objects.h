// For headers with a type that may be in shared memory although it has constructors: its default
// constructor does nothing.
//
// g++ would guard the initialization of such a variable, because constructors are declared.
// `constinit` says that there is none. Sources without such a header keep the guard: by it the
// loader finds a constructor that does something.
#pragma once

#ifndef __clang__  // clang rejects it, and only an editor runs clang
#undef __shared__
#define __shared__ __attribute__((used)) constinit thread_local
#endif
