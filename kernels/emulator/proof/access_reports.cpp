#include "kernels/emulator/proof/access_reports.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t most_copied_bytes = 4096;  // for larger copies the compiler calls memcpy

}  // namespace

bool AccessReports::Report::is_in_use() const {
  return std::ranges::find(used, true) != used.end();
}

// A copy of 7 bytes moves bytes 0 to 3 and 3 to 6. So the last move of a copy may repeat bytes, if
// the size of the copy is not a power of two.
bool AccessReports::Report::covers(std::int64_t begin, std::uint32_t bytes) const {
  const auto size = static_cast<std::int64_t>(used.size());
  if (is_over || begin < 0 || begin > size - std::int64_t{bytes}) return false;
  const std::int64_t end = begin + std::int64_t{bytes};
  const auto first = used.begin() + begin, last = used.begin() + end;
  if (std::find(first, last, true) == last) return true;
  const bool overlaps_end = end == size && !std::has_single_bit(used.size());
  return overlaps_end && !used.back() && std::is_sorted(first, last, std::greater<>());
}

// An access to a bit-field may be narrower than its report. It ends the report.
void AccessReports::Report::use(std::int64_t begin, std::uint32_t bytes) {
  std::fill_n(used.begin() + begin, bytes, true);
  is_over = bytes < 4 && bytes < used.size() && std::has_single_bit(used.size());
}

void AccessReports::add(CodeValue address, std::uint32_t bytes, bool writes, bool is_range,
                        std::uint32_t call) {
  std::erase_if(reports_, [&](const Report& r) { return r.writes == writes || r.is_in_use(); });
  for (Report& older : reports_) ++older.age;
  if (bytes > most_copied_bytes) return;
  reports_.push_back({.address = address,
                      .writes = writes,
                      .is_range = is_range,
                      .call = call,
                      .used = std::vector<bool>(bytes)});
}

bool AccessReports::use(CodeValue address, std::uint32_t bytes, bool writes) {
  Report* of_write = nullptr;
  for (Report& report : reports_) {
    const auto begin = static_cast<std::int64_t>(static_cast<std::uint64_t>(address.plus) -
                                                 static_cast<std::uint64_t>(report.address.plus));
    if (report.address.name != address.name || !report.covers(begin, bytes)) continue;
    if (report.writes != writes) {
      if (report.writes && !report.is_in_use()) of_write = &report;
      continue;
    }
    report.use(begin, bytes);
    return true;
  }
  return of_write != nullptr;
}

ReportToCompare AccessReports::take(std::uint32_t bytes, bool writes) {
  ReportToCompare taken;
  for (Report& report : reports_) {
    const auto free = std::ranges::find(report.used, false) - report.used.begin();
    if (!report.covers(free, bytes)) continue;
    if (report.writes == writes) {
      report.use(free, bytes);
      return {report.age, report.is_range, report.writes};
    }
    if (report.writes && !report.is_in_use()) taken = {report.age, report.is_range, report.writes};
  }
  return taken;
}

std::optional<std::uint32_t> AccessReports::store_due() const {
  for (const Report& report : reports_)
    if (report.writes && !report.is_over &&
        std::ranges::find(report.used, false) != report.used.end())
      return report.call;
  return std::nullopt;
}

}  // namespace histolab::kernels::emulator
