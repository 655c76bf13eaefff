#include "viewer/model/warp_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "grader/words/words.h"

namespace histolab::viewer {
namespace {

using grader::counted;
using grader::grouped;

template <class F>
void for_each_lane(std::uint32_t mask, F&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

std::uint32_t lane_bit(std::uint32_t lane) { return 1u << lane; }

std::uint32_t active_lanes(const Access& access) {
  return static_cast<std::uint32_t>(std::popcount(access.active));
}

// Shortens a name from a stream so that it fits in a sentence.
std::string short_name(const std::string& name) {
  constexpr std::size_t most = 40;
  if (name.empty()) return "memory";
  return name.size() <= most ? name : name.substr(0, most) + "...";
}

std::string what_it_does(const Access& access) {
  const std::string bytes = counted(width_of(access), "byte"),
                    variable = short_name(access.variable);
  if (access.kind == "load") return fmt::format("load of {} from {}", bytes, variable);
  if (access.kind == "store") return fmt::format("store of {} to {}", bytes, variable);
  if (access.kind == "compare_and_swap")
    return fmt::format("compare-and-swap of {} in {}", bytes, variable);
  if (access.kind == "exchange") return fmt::format("atomic exchange of {} in {}", bytes, variable);
  return fmt::format("atomic update of {} in {}", bytes, variable);
}

// The minimum number of sectors for so many bytes.
std::uint32_t fewest_sectors(std::uint32_t bytes) {
  return (bytes + sector_bytes - 1) / sector_bytes;
}

}  // namespace

bool is_active(const Access& access, std::uint32_t lane) {
  return lane < lanes && (access.active >> lane & 1) != 0;
}

bool is_atomic(const Access& access) {
  return access.same_address_degree > 0 || (access.kind != "load" && access.kind != "store");
}

bool writes(const Access& access) { return access.kind != "load"; }

bool in_shared(const Access& access) { return access.space == "shared"; }

std::uint32_t width_of(const Access& access) { return std::clamp(access.bytes, 1u, 16u); }

std::uint64_t element_of(const Access& access, std::uint32_t lane) {
  return access.offset[lane % lanes] / std::uint64_t{width_of(access)};
}

std::uint32_t bank_of(const Access& access, std::uint32_t lane) {
  return static_cast<std::uint32_t>((access.base + access.offset[lane % lanes]) / bank_bytes %
                                    banks);
}

SectorGrid sector_grid(const Access& access) {
  std::map<std::uint64_t, SectorGrid::Line> lines;
  std::set<std::uint64_t> bytes;
  for_each_lane(access.active, [&](std::uint32_t lane) {
    for (std::uint32_t i = 0; i < width_of(access); ++i) {
      const std::uint64_t byte = std::uint64_t{access.offset[lane]} + i;
      bytes.insert(byte);
      SectorGrid::Line& line = lines[byte / line_bytes];
      line.begin = byte / line_bytes * line_bytes;
      line.lanes_in[byte % line_bytes / sector_bytes] |= lane_bit(lane);
    }
  });
  SectorGrid grid;
  grid.bytes_used = static_cast<std::uint32_t>(bytes.size());
  for (const auto& [number, line] : lines) {
    grid.lines.push_back(line);
    for (const std::uint32_t in_sector : line.lanes_in) grid.sectors += in_sector != 0;
  }
  return grid;
}

std::vector<Column> bank_columns(const Access& access) {
  std::vector<Column> columns(banks);
  for (std::uint32_t bank = 0; bank < banks; ++bank)
    columns[bank] = {fmt::format("{}", bank), bank, {}};
  std::map<std::uint64_t, std::uint32_t> words;
  for_each_lane(access.active, [&](std::uint32_t lane) {
    const std::uint64_t first = access.base + access.offset[lane];
    for (std::uint64_t word = first / bank_bytes;
         word <= (first + width_of(access) - 1) / bank_bytes; ++word)
      words[word] |= lane_bit(lane);
  });
  for (const auto& [word, of_lanes] : words) columns[word % banks].cells.push_back(of_lanes);
  return columns;
}

std::vector<Column> element_columns(const Access& access, const std::vector<std::string>& labels) {
  std::map<std::uint64_t, Column> columns;
  if (labels.size() <= lanes)
    for (std::size_t i = 0; i < labels.size(); ++i) columns[i] = {labels[i], i, {}};
  for_each_lane(access.active, [&](std::uint32_t lane) {
    const std::uint64_t element = element_of(access, lane);
    auto [column, is_new] = columns.try_emplace(element);
    if (is_new)
      column->second = {
          element < labels.size() ? labels[element] : fmt::format("{}", element), element, {}};
    column->second.cells.push_back(lane_bit(lane));
  });
  std::vector<Column> all;
  for (auto& [element, column] : columns) all.push_back(std::move(column));
  return all;
}

std::size_t highest(const std::vector<Column>& columns) {
  std::size_t most = 0;
  for (const Column& column : columns) most = std::max(most, column.cells.size());
  return most;
}

std::optional<std::uint32_t> bank_conflicts(const Access& access) {
  if (!in_shared(access) || access.bytes > bank_bytes) return {};
  return access.wavefronts == 0 ? 0 : access.wavefronts - 1;
}

std::array<int, lanes> sector_groups(const Access& access) {
  std::array<int, lanes> groups;
  groups.fill(-1);
  // Sectors are numbered in order of first access, so neighbouring lanes differ in colour with any
  // stride. The first number is that of the first sector, so a warp that reads on changes colour.
  std::array<std::uint32_t, lanes> met;
  std::size_t count = 0;
  for_each_lane(access.active, [&](std::uint32_t lane) {
    const std::uint32_t sector = access.offset[lane] / sector_bytes;
    const auto at = std::find(met.begin(), met.begin() + count, sector);
    const auto rank = static_cast<std::size_t>(at - met.begin());
    if (rank == count) met[count++] = sector;
    groups[lane] = static_cast<int>((met[0] % group_count + rank) % group_count);
  });
  return groups;
}

std::string sentence(const Access& access, const std::string& file) {
  std::string out;
  if (access.line > 0)
    out = file.empty() ? fmt::format("line {}, ", access.line)
                       : fmt::format("{}:{}, ", file, access.line);
  out += fmt::format("{}: {}", what_it_does(access), counted(active_lanes(access), "lane"));
  if (in_shared(access)) {
    out += fmt::format(", {} per request", counted(access.wavefronts, "wavefront"));
    if (const auto conflicts = bank_conflicts(access))
      out += *conflicts == 0 ? ", no bank conflict"
                             : fmt::format(", {}", counted(*conflicts, "bank conflict"));
  } else {
    out += fmt::format(", {} per request", counted(access.sectors, "sector"));
    const SectorGrid grid = sector_grid(access);
    out +=
        fmt::format("; {} of the bytes used",
                    grader::percent(grid.bytes_used, std::uint64_t{grid.sectors} * sector_bytes));
  }
  if (is_atomic(access))
    out += fmt::format("; same-address degree {}", grouped(access.same_address_degree));
  return out;
}

std::string lesson(const Access& access) {
  const std::uint32_t active = active_lanes(access);
  if (active == 0) return "no lane is active";
  std::string out;
  if (is_atomic(access) && access.same_address_degree > 1) {
    const std::string who =
        access.same_address_degree >= active
            ? "all of its lanes"
            : fmt::format("up to {} lanes", grouped(access.same_address_degree));
    out = fmt::format("{} access one element and are serialized{}", who,
                      in_shared(access) ? ", unless they all add the constant 1" : "");
  } else if (is_atomic(access)) {
    out = active == 1 ? "only one lane is active: no contention in the warp"
                      : "no two lanes of the warp access one element";
  } else if (in_shared(access)) {
    const auto conflicts = bank_conflicts(access);
    if (!conflicts)
      out =
          "accesses of more than 4 bytes are split into parts of the warp, each with at least one "
          "wavefront";
    else if (*conflicts > 0)
      out =
          "a bank delivers one word per wavefront: lanes that access different words of one bank "
          "are serialized";
    else
      out = "each bank delivers at most one word: no conflicts";
  } else {
    const std::uint32_t fewest = fewest_sectors(sector_grid(access).bytes_used);
    if (access.sectors <= fewest)
      out = "coalesced: the fewest sectors possible for these bytes";
    else
      out = fmt::format("{} would suffice if these bytes were adjacent and began at a sector",
                        counted(fewest, "sector"));
  }
  if (active < lanes)
    out += fmt::format(
        "; {} inactive: divergence",
        active == lanes - 1 ? "1 lane is" : fmt::format("{} lanes are", lanes - active));
  return out;
}

std::string about_lane(const Access& access, std::uint32_t lane, std::uint32_t block_size,
                       const std::string& bin) {
  const std::uint64_t thread = std::uint64_t{access.warp} * lanes + lane;
  std::string out = fmt::format("lane {}: thread {} of block {} ({} of the grid)", lane,
                                grouped(thread), grouped(access.block),
                                grouped(std::uint64_t{access.block} * block_size + thread));
  if (!is_active(access, lane)) return out + "\nnot active";
  const std::uint64_t offset = access.offset[lane];
  out += fmt::format("\n{}[{}]{}", short_name(access.variable), grouped(element_of(access, lane)),
                     bin.empty() ? std::string{} : fmt::format(", bin {}", bin));
  if (in_shared(access)) {
    return out + fmt::format("\nbyte {} of the block's shared memory: bank {}",
                             grouped(access.base + offset), bank_of(access, lane));
  }
  return out + fmt::format("\nbyte {} of {}: sector {}", grouped(offset),
                           short_name(access.variable), grouped(offset / sector_bytes));
}

std::string lane_ranges(std::uint32_t lanes_in) {
  constexpr std::size_t most = 20;
  std::string out;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if ((lanes_in >> lane & 1) == 0) continue;
    std::uint32_t last = lane;
    while (last + 1 < lanes && (lanes_in >> (last + 1) & 1) != 0) ++last;
    if (!out.empty()) out += ", ";
    if (out.size() > most) return out + "...";
    out += last == lane ? fmt::format("{}", lane) : fmt::format("{}-{}", lane, last);
    lane = last;
  }
  return out;
}

}  // namespace histolab::viewer
