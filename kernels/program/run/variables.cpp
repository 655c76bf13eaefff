#include "kernels/program/run/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "kernels/program/memory_layout.h"

namespace histolab::kernels::program {
namespace {

constexpr std::uint64_t page = 4096;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

class Placer {
 public:
  explicit Placer(const ProgramDescription& description) : description_(description) {
    placed_.of_object.resize(description.objects.size());
  }

  Result<PlacedVariables> place() {
    place_managed();
    for (const DescribedSection& section : description_.sections) {
      if (section.may_be_host && next_ + section.bytes > most_variables_end / 2) continue;
      place(section);
      if (next_ > most_variables_end)
        return Error{
            fmt::format("the program's device variables need more than {} MiB. Allocate large "
                        "arrays with cudaMalloc",
                        most_variables_end >> 20)};
    }
    placed_.end = rounded_up(next_, page);
    return std::move(placed_);
  }

 private:
  std::uint64_t take(std::uint64_t bytes, std::uint64_t alignment) {
    const std::uint64_t at = rounded_up(next_, alignment);
    next_ = at + bytes + 2 * program_red_zone;
    placed_.initialized.push_back({at, bytes});
    return at;
  }

  // The host's whole section becomes a part of the memory file, in pages.
  void place_managed() {
    if (description_.managed.bytes == 0) return;
    managed_.begin = description_.managed.offset / page * page;
    managed_.bytes =
        rounded_up(description_.managed.offset + description_.managed.bytes, page) - managed_.begin;
    managed_.offset = take(managed_.bytes, page);
    placed_.shared.push_back(managed_);
  }

  [[nodiscard]] bool is_managed(std::uint64_t host) const {
    return host - description_.managed.offset < description_.managed.bytes;
  }

  // Returns the address of the host's variable, or 0. Static variables of several files have one
  // symbol: the linker keeps the files' order.
  std::uint64_t host_of(const DescribedVariable& variable) {
    if (variable.host.empty()) return 0;
    const std::size_t number = variable.host.size() == 1 ? 0 : seen_[variable.symbol]++;
    return variable.host[std::min(number, variable.host.size() - 1)];
  }

  void place(const DescribedSection& section) {
    std::vector<std::uint64_t> hosts;
    for (const DescribedVariable& variable : section.variables) hosts.push_back(host_of(variable));
    std::uint64_t at = 0;
    bool is_known = false;
    for (std::size_t i = 0; i < hosts.size() && !is_known; ++i) {
      const auto known = hosts[i] == 0 ? by_host_.end() : by_host_.find(hosts[i]);
      is_known = is_managed(hosts[i]) || known != by_host_.end();
      if (!is_known) continue;
      const std::uint64_t offset =
          is_managed(hosts[i]) ? managed_.offset + hosts[i] - managed_.begin : known->second;
      is_known = offset >= section.variables[i].offset;
      at = offset - section.variables[i].offset;
    }
    if (!is_known) {
      at = take(section.bytes, std::max(section.alignment, allocation_alignment));
      if (section.contents.bytes > 0) placed_.contents.push_back({at, section.contents});
    }
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const DescribedVariable& variable = section.variables[i];
      const std::uint64_t offset = at + variable.offset;
      placed_.of_object[section.object].push_back({variable.symbol, offset, variable.bytes});
      if (hosts[i] != 0 && by_host_.emplace(hosts[i], offset).second)
        placed_.variables.push_back({variable.name, hosts[i], offset, variable.bytes,
                                     is_managed(hosts[i]),
                                     section.may_be_host && !is_managed(hosts[i])});
    }
  }

  const ProgramDescription& description_;
  PlacedVariables placed_;
  std::uint64_t next_ = program_red_zone;
  SharedVariables managed_;
  std::map<std::uint64_t, std::uint64_t> by_host_;  // offset in the memory file
  std::map<std::string, std::size_t> seen_;
};

}  // namespace

Result<PlacedVariables> place_variables(const ProgramDescription& description) {
  return Placer(description).place();
}

}  // namespace histolab::kernels::program
