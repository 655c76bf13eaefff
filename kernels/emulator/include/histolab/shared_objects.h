// For headers with a type that may be in shared memory although it has constructors: its default
// constructor does nothing.
#pragma once

// Because of the constructors, g++ would guard the initialization of such a variable. `constinit`
// states that no initialization happens. Sources without such a header keep the guard, by which the
// loader detects constructors that do something.
#if !defined(__clang__) && !defined(HISTOLAB_HOST)  // clang rejects it; only an editor runs clang
#undef __shared__
#define __shared__ __attribute__((used)) __constinit thread_local
#endif
