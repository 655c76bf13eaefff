#include "kernels/cuda/bench/cases.h"

#include <algorithm>
#include <iterator>

#include "datasets/datasets.h"
#include "kernels/cuda/bench/data.h"

namespace histolab::kernels::cuda::bench {
namespace {

template <class T>
bool selected(const std::vector<T>& list, const T& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

template <class T>
std::vector<T> first_not_empty(const std::vector<T>& a, const std::vector<T>& b) {
  return a.empty() ? b : a;
}

std::vector<std::string> datasets_of(const Selection& selection, Layout layout, SampleType type) {
  std::vector<std::string> chosen;
  for (const std::string& name : type == SampleType::u8 ? byte_datasets() : wide_datasets())
    if (selected(selection.datasets, name)) chosen.push_back(name);
  if (type == SampleType::u8 && layout != Layout::uneven)
    std::copy_if(selection.datasets.begin(), selection.datasets.end(), std::back_inserter(chosen),
                 datasets::is_hot);
  return chosen;
}

void add(std::vector<Case>& cases, const Selection& selection, Layout layout, SampleType type,
         const std::vector<unsigned>& bins, const std::vector<std::size_t>& lengths) {
  if (!selected(selection.layouts, name_of(layout)) ||
      !selected(selection.sample_bytes, bytes_of(type)))
    return;
  for (const std::size_t length : lengths)
    for (const unsigned count : bins)
      for (const std::string& dataset : datasets_of(selection, layout, type))
        if (const Case c{layout, type, dataset, count, length};
            std::find(cases.begin(), cases.end(), c) == cases.end())
          cases.push_back(c);
}

}  // namespace

std::vector<Case> cases_of(const std::string& set, const Selection& selection) {
  const std::size_t full = std::size_t{1} << 30;
  std::vector<Case> cases;
  if (set == "limits" || set == "all") {
    const auto lengths = first_not_empty(selection.lengths, {full, full / 4});
    if (selected(selection.bins, letter_bins))
      add(cases, selection, Layout::letters, SampleType::u8, {letter_bins}, lengths);
    if (selected(selection.bins, 256u))
      add(cases, selection, Layout::even, SampleType::u8, {256}, lengths);
  }
  if (set == "map" || set == "all") {
    const auto lengths = first_not_empty(selection.lengths, {full});
    const auto few = first_not_empty(selection.bins, {2, 16, 100});
    const auto many = first_not_empty(
        selection.bins, {2, 8, 32, 128, 256, 512, 1000, 2048, 4096, 8192, 16384, 32768, 65536});
    for (const Layout layout : {Layout::even, Layout::uneven}) {
      add(cases, selection, layout, SampleType::u8, few, lengths);
      add(cases, selection, layout, SampleType::u16, many, lengths);
      add(cases, selection, layout, SampleType::u32, many, lengths);
    }
  }
  if (set == "envelope") {
    std::vector<std::size_t> lengths;
    for (unsigned log = 10; log <= 30; ++log) lengths.push_back(std::size_t{1} << log);
    lengths = first_not_empty(selection.lengths, lengths);
    const auto add_some = [&](Layout layout, SampleType type, std::vector<unsigned> bins,
                              std::vector<std::string> datasets) {
      Selection some = selection;
      if (some.datasets.empty()) some.datasets = std::move(datasets);
      if (!selection.bins.empty())
        std::erase_if(bins, [&](unsigned count) { return !selected(selection.bins, count); });
      add(cases, some, layout, type, bins, lengths);
    };
    add_some(Layout::letters, SampleType::u8, {letter_bins}, {"english", "bytes", "constant"});
    add_some(Layout::even, SampleType::u8, {256, 4096}, {"english", "bytes", "constant"});
    for (const SampleType type : {SampleType::u16, SampleType::u32}) {
      add_some(Layout::even, type, {256, 1024, 4096, 65536}, {"uniform", "zipf", "constant"});
      add_some(Layout::uneven, type, {256, 4096}, {"uniform"});
    }
  }
  return cases;
}

std::string name_of(Layout layout) {
  return layout == Layout::letters ? "letters" : layout == Layout::even ? "even" : "uneven";
}

nlohmann::ordered_json describe(const Case& c) {
  return {{"dataset", c.dataset},
          {"layout", name_of(c.layout)},
          {"bins", c.bins},
          {"sample_bytes", bytes_of(c.type)},
          {"length", c.length}};
}

std::vector<std::uint32_t> levels_of(const Case& c) {
  if (c.layout == Layout::letters) return {'a', 'e', 'i', 'm', 'q', 'u', 'y', 'z' + 1};
  if (c.layout == Layout::even) return {};
  const double range = c.type == SampleType::u8    ? 256
                       : c.type == SampleType::u16 ? 65536
                                                   : 4294967295.0;
  std::vector<std::uint32_t> levels(c.bins + 1);
  for (unsigned k = 0; k <= c.bins; ++k) {
    const double part = static_cast<double>(k) / c.bins;
    levels[k] = static_cast<std::uint32_t>(part * part * range);
  }
  return levels;
}

Bins bins_of(const Case& c, const std::uint32_t* levels) {
  Bins bins{c.bins, 0, std::uint64_t{1} << (8 * bytes_of(c.type)), nullptr};
  if (c.layout != Layout::even) bins.levels = levels;
  return bins;
}

}  // namespace histolab::kernels::cuda::bench
