#include "kernels/cuda/lessons/experiments.h"

namespace histolab::kernels::cuda::lessons {
namespace {

// Global atomics on few words take 100 times as long per element as other kernels. Their rate is
// the same on shorter data.
constexpr unsigned long_run = 1u << 30, medium_run = 1u << 28, short_run = 1u << 26;

// Every kernel of the labs on every dataset, launched as in the labs.
void add_labs(std::vector<Group>& groups, const std::string& dataset) {
  groups.push_back({"labs",
                    dataset,
                    Binning::letters,
                    1,
                    long_run,
                    {7},
                    {{"race"},
                     {"shared"},
                     {"shared-contiguous", 16},
                     {"shared-unrolled", 16},
                     {"shared-tile", 16},
                     {"shared-strided", 16},
                     {"shared-block"},
                     {"shared-interleaved"},
                     {"shared-interleaved-aggregated"},
                     {"shared-block-aggregated"},
                     {"shared-contiguous-aggregated", 16},
                     {"shared-contiguous-ahead", 16},
                     {"shared-tile-ahead", 16},
                     {"registers"},
                     {"global-copies"},
                     {"global-copies-apart"}}});
  groups.push_back(
      {"labs",
       dataset,
       Binning::letters,
       1,
       medium_run,
       {7},
       {{"global-copies-each"}, {"global-interleaved-aggregated"}, {"global-block-aggregated"}}});
  groups.push_back({"labs",
                    dataset,
                    Binning::letters,
                    1,
                    short_run,
                    {7},
                    {{"global"}, {"global-block"}, {"global-interleaved"}}});
}

// Labs 03 and 06: lengths at which a thread's share exceeds a run, and at which one flush per
// thread is negligible.
void add_long(std::vector<Group>& groups) {
  groups.push_back({"length",
                    "runs",
                    Binning::letters,
                    1,
                    long_run,
                    {7},
                    {{"global-block"}, {"global-interleaved"}, {"global-block-aggregated"}}});
  groups.push_back({"length", "runs", Binning::letters, 1, medium_run, {7}, {{"global-block"}}});
  groups.push_back(
      {"length",
       "constant",
       Binning::letters,
       1,
       long_run,
       {7},
       {{"global-interleaved"}, {"global-interleaved-aggregated"}, {"global-block-aggregated"}}});
  for (const unsigned element_bytes : {1u, 4u})
    for (const unsigned length : {short_run, long_run})
      groups.push_back({"length",
                        "uniform",
                        Binning::leading_bits,
                        element_bytes,
                        length,
                        {8, 256, 4096},
                        {{"shared-block"}, {"shared-interleaved"}}});
}

// Lab 05: the choice, number and width of a thread's elements.
void add_coarsening(std::vector<Group>& groups, const std::string& dataset) {
  std::vector<Choice> choices{{"shared"}, {"shared-block"}, {"shared-interleaved"}};
  for (unsigned factor = 2; factor <= 256; factor *= 2)
    for (const char* kernel :
         {"shared-contiguous", "shared-strided", "shared-unrolled", "shared-tile"})
      choices.push_back({kernel, factor});
  for (const unsigned factor : {33u, 65u, 129u})
    for (const char* kernel : {"shared-contiguous", "shared-tile"})
      choices.push_back({kernel, factor});
  for (const unsigned factor : {4u, 16u})
    for (const char* kernel :
         {"shared-contiguous-ahead", "shared-unrolled-ahead", "shared-tile-ahead"})
      choices.push_back({kernel, factor});
  for (const unsigned element_bytes : {1u, 2u, 4u, 16u})
    groups.push_back(
        {"coarsening", dataset, Binning::letters, element_bytes, medium_run, {7}, choices});
}

// Labs 02 to 04: partitioning and privatization, from few bins to many.
void add_partitioning(std::vector<Group>& groups, const std::string& dataset,
                      unsigned element_bytes, std::vector<unsigned> bins) {
  groups.push_back(
      {"partitioning",
       dataset,
       Binning::leading_bits,
       element_bytes,
       medium_run,
       bins,
       {{"shared-block"}, {"shared-interleaved"}, {"shared-contiguous", 16}, {"shared-tile", 16}}});
  groups.push_back({"partitioning",
                    dataset,
                    Binning::leading_bits,
                    element_bytes,
                    short_run,
                    bins,
                    {{"global"},
                     {"global-block"},
                     {"global-interleaved"},
                     {"global-interleaved-aggregated"},
                     {"global-copies"},
                     {"shared"}}});
}

}  // namespace

std::vector<Group> experiments() {
  std::vector<Group> groups;
  for (const char* dataset :
       {"uniform-letters", "english", "constant", "runs", "sorted", "zipf", "two-bins"}) {
    add_labs(groups, dataset);
    if (dataset == std::string{"uniform-letters"}) {
      add_coarsening(groups, dataset);
      groups.push_back({"partitioning",
                        dataset,
                        Binning::letters,
                        4,
                        short_run,
                        {7},
                        {{"global"}, {"global-block"}, {"global-interleaved"}}});
    }
  }
  const std::vector<unsigned> all{8, 32, 256, 1024, 4096, 16384, 32768, 65536},
      few{8, 256, 4096, 65536};
  for (const char* dataset : {"uniform", "zipf"}) {
    add_partitioning(groups, dataset, 4, all);
    add_partitioning(groups, dataset, 1, {8, 32, 256});
    groups.push_back({"race", dataset, Binning::leading_bits, 1, medium_run, {8, 256}, {{"race"}}});
    groups.push_back({"race", dataset, Binning::leading_bits, 4, medium_run, few, {{"race"}}});
  }
  add_long(groups);
  add_partitioning(groups, "uniform", 2, few);
  add_partitioning(groups, "uniform", 16, few);
  for (const char* dataset : {"constant", "runs", "sorted", "two-bins"}) {
    add_partitioning(groups, dataset, 1, {256});
    add_partitioning(groups, dataset, 4, {65536});
    groups.push_back({"race", dataset, Binning::leading_bits, 1, medium_run, {256}, {{"race"}}});
  }
  return groups;
}

}  // namespace histolab::kernels::cuda::lessons
