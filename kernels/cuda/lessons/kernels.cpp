#include "kernels/cuda/lessons/kernels.h"

#include <stdexcept>

namespace histolab::kernels::cuda::lessons {

bool runs(const Choice& choice, const Work& work, std::size_t shared_bytes) {
  const std::string_view name = choice.kernel;
  const bool letters = work.binning == Binning::letters;
  if (name == "registers") return letters;
  if (work.element_bytes < 4 && work.bins > 1u << 8 * work.element_bytes) return false;
  return !name.starts_with("shared") || work.bins * sizeof(unsigned) <= shared_bytes;
}

std::size_t copies_words(const Choice& choice, const Work& work) {
  if (!choice.kernel.starts_with("global-copies")) return 0;
  const std::size_t blocks = choice.kernel == "global-copies-each"
                                 ? (work.length + block_threads - 1) / block_threads
                                 : work.persistent_blocks;
  return blocks * ((work.bins + 31) / 32 * 32);
}

void launch(const Choice& choice, const Work& work) {
  if (!launch_global(choice, work) && !launch_shared(choice, work) &&
      !launch_contiguous(choice, work) && !launch_unrolled(choice, work) &&
      !launch_tile(choice, work))
    throw std::runtime_error("there is no kernel " + choice.kernel + " with factor " +
                             std::to_string(choice.factor) + " for this work");
}

}  // namespace histolab::kernels::cuda::lessons
