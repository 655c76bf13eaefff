// Functions whose loops g++ turns into vector instructions.
//
// Each has a clone for AVX2. It is chosen when the program starts, so the program runs without
// AVX2.
#pragma once

#define WITH_VECTOR_CLONE [[gnu::target_clones("avx2", "default")]]
// The same, with all loops as vectors.
#define IN_VECTORS [[gnu::target_clones("avx2", "default"), gnu::optimize("O3")]]
