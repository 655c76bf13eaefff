// IN_VECTORS: a function whose loops g++ turns into vector instructions, with a clone for AVX2.
#pragma once

#define IN_VECTORS [[gnu::target_clones("avx2", "default"), gnu::optimize("O3")]]
