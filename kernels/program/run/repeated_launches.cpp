#include "kernels/program/run/repeated_launches.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "kernels/program/memory_layout.h"
#include "reference/parallel.h"

namespace histolab::kernels::program {
namespace {

using Part = RepeatedLaunches::Part;
using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t most_bytes = 512 << 20;

RepeatedLaunches::Hash hash_of(Bytes bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

bool is_address(std::uint64_t value) { return value - program_memory_begin < program_memory_bytes; }

// Without branches, so that the compiler uses vector instructions. These compare 32 bits at a time,
// so the first pass looks at the upper half of each word, and is seldom wrong.
bool has_addresses(Bytes bytes) {
  constexpr std::uint32_t ignored = 0xf;
  static_assert(((program_memory_begin ^ (program_memory_begin + program_memory_bytes)) >> 32 &
                 ~std::uint64_t{ignored}) == 0);
  std::uint32_t may = 0;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint32_t upper = 0;
    std::memcpy(&upper, bytes.data() + at + 4, sizeof upper);
    may |= (upper & ~ignored) == (program_memory_begin >> 32 & ~ignored);
  }
  if (may == 0) return false;
  bool found = false;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    found |= is_address(word);
  }
  return found;
}

Bytes bytes_of(const ProgramMemoryFiles& files, const std::vector<ByteRange>& memory,
               const Part& part) {
  return files.bytes({memory[part.range].offset + part.offset, part.bytes});
}

struct Summary {
  Part part;
  RepeatedLaunches::Hash hash = {};
  bool has_addresses = false;
};

// Looks at the parts of the ranges that are not holes of the file.
std::vector<Summary> summarize(const ProgramMemoryFiles& files,
                               const std::vector<ByteRange>& memory) {
  std::vector<Summary> summaries;
  for (std::size_t range = 0; range < memory.size(); ++range)
    for (const ByteRange& each : files.data_in(memory[range]))
      summaries.push_back({.part = {range, each.offset - memory[range].offset, each.bytes}});
  reference::parallel_for(summaries.size(), std::thread::hardware_concurrency(),
                          [&](std::size_t i) {
                            const Bytes bytes = bytes_of(files, memory, summaries[i].part);
                            summaries[i].hash = hash_of(bytes);
                            summaries[i].has_addresses = has_addresses(bytes);
                          });
  return summaries;
}

class Words {
 public:
  void add(std::initializer_list<std::uint64_t> words) { words_.insert(words_.end(), words); }
  [[nodiscard]] RepeatedLaunches::Hash hash() const {
    return hash_of({reinterpret_cast<const std::uint8_t*>(words_.data()), 8 * words_.size()});
  }

 private:
  std::vector<std::uint64_t> words_;
};

// The bytes at this place, as a number.
std::uint64_t word_at(const emulator::RawArguments& arguments, const ArgumentPlace& place) {
  std::uint64_t word = 0;
  const auto copy = [&](const auto& from) { std::memcpy(&word, &from, place.bytes); };
  using enum ArgumentPlace::Where;
  if (place.where == integer) copy(arguments.integers.at(place.index));
  if (place.where == vector) copy(arguments.vectors.at(place.index));
  if (place.where == stack) copy(arguments.stack.at(place.index));
  return word;
}

// The arguments. Registers and bytes of the stack without an argument hold anything. If addresses
// do not matter, an address is a range and an offset in it.
void add_arguments(Words& words, const KernelLaunch& launch, const std::vector<ByteRange>& memory,
                   bool addresses_matter) {
  for (const KernelParameter& parameter : launch.facts->parameters)
    for (const ArgumentPlace& place : parameter.places) {
      const std::uint64_t word = word_at(launch.arguments, place);
      const std::uint64_t offset = word - program_memory_begin;
      const auto range = std::ranges::find_if(memory, [&](const ByteRange& each) {
        return offset >= each.offset && offset - each.offset <= each.bytes;
      });
      if (addresses_matter || !is_address(word) || range == memory.end())
        words.add({0, word});
      else
        words.add({1 + static_cast<std::uint64_t>(range - memory.begin()), offset - range->offset});
    }
}

}  // namespace

RepeatedLaunches::Inputs RepeatedLaunches::inputs_of(const KernelLaunch& launch,
                                                     std::vector<ByteRange> memory) const {
  Inputs inputs;
  inputs.memory = std::move(memory);
  for (const Summary& each : summarize(files_, inputs.memory)) {
    inputs.parts[each.part] = each.hash;
    inputs.has_addresses |= each.has_addresses;
  }
  Words words;
  const LaunchConfig& config = launch.config;
  words.add({launch.kernel, config.grid.x, config.grid.y, config.grid.z, config.block.x,
             config.block.y, config.block.z, config.dynamic_shared_bytes});
  add_arguments(words, launch, inputs.memory, inputs.has_addresses);
  for (const ByteRange& range : inputs.memory)
    words.add({inputs.has_addresses ? range.offset : 0, range.bytes});
  for (const auto& [part, hash] : inputs.parts)
    words.add({part.range, part.offset, part.bytes, hash.high, hash.low});
  inputs.all = words.hash();
  return inputs;
}

Result<std::string> RepeatedLaunches::repeat(const Inputs& inputs) {
  const Known& known = known_.at(inputs.all);
  std::vector<Status> written(known.changes.size(), Done{});
  reference::parallel_for(written.size(), std::thread::hardware_concurrency(), [&](std::size_t i) {
    const auto& [part, bytes] = known.changes[i];
    written[i] = files_.write(inputs.memory.at(part.range).offset + part.offset, bytes);
  });
  for (const Status& each : written) TRY(each);
  return known.printed;
}

void RepeatedLaunches::remember(const Inputs& inputs, const std::string& printed) {
  Known known{.changes = {}, .printed = printed};
  std::uint64_t bytes_changed = 0;
  bool may_move = true;  // the result does not depend on the places of allocations
  for (const Summary& each : summarize(files_, inputs.memory)) {
    const auto before = inputs.parts.find(each.part);
    if (before != inputs.parts.end() && before->second == each.hash) continue;
    bytes_changed += each.part.bytes;
    may_move &= inputs.has_addresses || !each.has_addresses;
    const Bytes bytes = bytes_of(files_, inputs.memory, each.part);
    if (bytes_changed <= most_bytes)
      known.changes.push_back({each.part, {bytes.begin(), bytes.end()}});
  }
  if (bytes_changed > most_bytes || !may_move) return;
  if (bytes_ + bytes_changed > most_bytes) known_.clear(), bytes_ = 0;
  bytes_ += bytes_changed;
  known_[inputs.all] = std::move(known);
}

}  // namespace histolab::kernels::program
