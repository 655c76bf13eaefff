// Empties the L2 of what matters: it is full of `data` afterwards, with nothing to write back. (A fill would leave lines that the
// next launch has to write to DRAM while it is timed.)
#pragma once

#include <cstddef>

namespace histolab::model {

// `data`: device memory, a few times the L2; `out`: a word that is hardly ever written.
void read_everything(const void* data, std::size_t bytes, unsigned int* out);

}  // namespace histolab::model
