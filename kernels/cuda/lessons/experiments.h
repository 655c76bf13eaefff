// The experiments: groups of launches over the same elements. The members of a group run in turns,
// so that they can be compared. Each group answers a question of a lesson.
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/lessons/kernels.h"

namespace histolab::kernels::cuda::lessons {

struct Group {
  std::string experiment;  // labs, coarsening, length, partitioning, race
  std::string dataset;
  Binning binning = Binning::letters;
  unsigned element_bytes = 1, length = 0;
  std::vector<unsigned> bins;
  std::vector<Choice> choices;
};

// Returns all groups. Neighbours have the same dataset and binning if possible.
[[nodiscard]] std::vector<Group> experiments();

}  // namespace histolab::kernels::cuda::lessons
