#include "grader/cluster/requirements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <span>

#include "grader/words/words.h"
#include "kernels/worker/compiling/emulator_paths.h"

namespace histolab::cluster {
namespace {

constexpr std::size_t most_sizes_shown = 8;

// The value of the last such option, or an empty text.
std::string option_value(const std::vector<std::string>& words, const std::string& name,
                         const std::string& letter = {}) {
  std::string value;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with(name + "="))
      value = words[i].substr(name.size() + 1);
    else if ((words[i] == name || words[i] == letter) && i + 1 < words.size())
      value = words[i + 1];
  }
  return value;
}

// Slurm's sizes: a number with an optional K, M, G or T; the default unit is MiB.
std::optional<std::size_t> mebibytes_from(const std::string& text) {
  constexpr std::size_t most = std::size_t{1} << 30;  // larger numbers could overflow
  std::size_t number = 0;
  const char* const end_of_text = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), end_of_text, number);
  if (failure != std::errc{} || number > most) return std::nullopt;
  switch (end == end_of_text ? 'M' : std::toupper(static_cast<unsigned char>(*end))) {
    case 'K': return number >> 10;
    case 'M': return number;
    case 'G': return number << 10;
    case 'T': return number << 20;
    default: return std::nullopt;
  }
}

// The sizes in the partitions that the request names, or in the default partition.
std::vector<NodeSize> candidates(const ArrayRequest& request, const std::vector<NodeSize>& nodes) {
  std::string partitions = option_value(request.more, "--partition", "-p");
  if (partitions.empty()) partitions = request.partition;
  std::vector<NodeSize> found;
  for (const NodeSize& each : nodes) {
    const bool is_named =
        ("," + partitions + ",").find("," + each.partition + ",") != std::string::npos;
    if (partitions.empty() ? each.is_default : is_named) found.push_back(each);
  }
  return found.empty() ? nodes : found;
}

// "2 processors (--jobs 2), 6656 MiB of memory (the batch's default), --gres gpu:1".
std::string request_text(const ArrayRequest& request, std::optional<std::size_t> mebibytes) {
  const bool is_default = std::ranges::none_of(
      request.more, [](const std::string& word) { return word.starts_with("--mem"); });
  std::string text =
      fmt::format("{} (--jobs {})", grader::counted(request.cpus, "processor"), request.cpus);
  if (mebibytes)
    text +=
        fmt::format(", {} MiB of memory{}", *mebibytes, is_default ? " (the batch's default)" : "");
  if (!request.gres.empty()) text += ", --gres " + request.gres;
  if (!request.more.empty())
    text += fmt::format(", --sbatch-args \"{}\"", fmt::join(request.more, " "));
  if (!request.excluded.empty())
    text += fmt::format(", without {}", fmt::join(request.excluded, ","));
  return text;
}

std::string advice(const ArrayRequest& request, std::optional<std::size_t> mebibytes,
                   const std::vector<NodeSize>& nodes) {
  unsigned most_cpus = 0;
  std::size_t most_mebibytes = 0;  // of a node with enough processors
  for (const NodeSize& each : nodes) {
    most_cpus = std::max(most_cpus, each.cpus);
    if (each.cpus >= request.cpus) most_mebibytes = std::max(most_mebibytes, each.mebibytes);
  }
  const std::size_t least = request.cpus * (kernels::most_memory_of_compiler >> 20);
  const bool too_many_cpus = most_cpus > 0 && request.cpus > most_cpus;
  const bool too_much_memory = most_mebibytes > 0 && mebibytes && *mebibytes > most_mebibytes;
  std::vector<std::string> ways;
  if (too_many_cpus) ways.push_back(fmt::format("at most --jobs {}", most_cpus));
  if (too_much_memory && most_mebibytes >= least)
    ways.push_back(fmt::format("--sbatch-args --mem={}M (a task needs {} MiB at least)",
                               most_mebibytes, least));
  if (too_much_memory && request.cpus > 1)
    ways.emplace_back("fewer --jobs, which need less memory");
  if (!too_many_cpus && !too_much_memory) ways.emplace_back("another --gres or --sbatch-args");
  ways.emplace_back("--partition NAME for other nodes");
  return fmt::format("{}", fmt::join(ways, ", or "));
}

}  // namespace

std::optional<std::size_t> requested_mebibytes(const ArrayRequest& request) {
  if (const std::string size = option_value(request.more, "--mem"); !size.empty())
    return mebibytes_from(size);
  if (const std::string size = option_value(request.more, "--mem-per-cpu"); !size.empty()) {
    const std::optional<std::size_t> each = mebibytes_from(size);
    return each ? std::optional{*each * request.cpus} : std::nullopt;
  }
  if (request.mebibytes == 0) return std::nullopt;
  return request.mebibytes;
}

std::string explain_no_fit(const ArrayRequest& request, const std::vector<NodeSize>& nodes) {
  const std::optional<std::size_t> mebibytes = requested_mebibytes(request);
  std::string text = fmt::format("no node has what a task asks for\n  - a task asks for {}",
                                 grader::harmless(request_text(request, mebibytes)));
  const std::size_t shown = std::min(nodes.size(), most_sizes_shown);
  for (const NodeSize& each : std::span{nodes}.first(shown))
    text += fmt::format("\n  - partition {} has {} with {} and {} MiB",
                        grader::harmless(each.partition), grader::counted(each.nodes, "node"),
                        grader::counted(each.cpus, "processor"), each.mebibytes);
  if (shown < nodes.size()) text += fmt::format("\n  - and {} more", nodes.size() - shown);
  if (nodes.empty()) text += "\n  - `sinfo --exact -o '%P %c %m %D'` lists what the nodes have";
  return text + "\n  - use " + advice(request, mebibytes, candidates(request, nodes));
}

}  // namespace histolab::cluster
