// What is measured: groups of launches over the same elements.
//
// A group's members run in turns, so that they can be compared; each group answers a question of a lesson.
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

// Neighbours have the dataset and the binning in common where that can be.
[[nodiscard]] std::vector<Group> experiments();

}  // namespace histolab::kernels::cuda::lessons
