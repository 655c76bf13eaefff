#include "kernels/emulator/parallel/chunk_report.h"

#include <cstring>
#include <type_traits>

namespace histolab::kernels::emulator {
namespace {

static_assert(std::is_trivially_copyable_v<reference::LineCounters>);
using Element = reference::AtomicPressure::Element;

class Writer {
 public:
  explicit Writer(std::span<std::uint8_t> to) : to_(to) {}

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (to_.size() - used_ < sizeof value) fits_ = false;
    if (!fits_) return;
    std::memcpy(to_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
  }
  template <class T, class F>
  void put_all(const std::vector<T>& values, F&& put_one) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) put_one(value);
  }
  [[nodiscard]] std::optional<std::uint64_t> used() const {
    return fits_ ? std::optional(used_) : std::nullopt;
  }

 private:
  std::span<std::uint8_t> to_;
  std::uint64_t used_ = 0;
  bool fits_ = true;
};

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> from) : from_(from) {}

  template <class T>
  T get() {
    T value{};
    if (from_.size() < sizeof value) ok_ = false;
    if (!ok_) return value;
    std::memcpy(&value, from_.data(), sizeof value);
    from_ = from_.subspan(sizeof value);
    return value;
  }
  // Each element takes at least `least` bytes, which limits their number.
  template <class T, class F>
  std::vector<T> get_all(std::uint64_t least, F&& get_one) {
    const auto count = get<std::uint64_t>();
    if (count > from_.size() / least) ok_ = false;
    std::vector<T> values;
    if (!ok_) return values;
    values.reserve(count);
    for (std::uint64_t i = 0; i < count && ok_; ++i) values.push_back(get_one());
    return values;
  }
  [[nodiscard]] bool read_all() const { return ok_ && from_.empty(); }

 private:
  std::span<const std::uint8_t> from_;
  bool ok_ = true;
};

}  // namespace

std::optional<std::uint64_t> write_report(const ChunkReport& report, std::span<std::uint8_t> to) {
  Writer out(to);
  out.put(report.rows);
  out.put(report.busiest);
  out.put_all(report.lines, [&](const reference::LineCounters& line) { out.put(line); });
  out.put_all(report.pressure, [&](const RegionPressure& of) {
    out.put(of.region);
    out.put(of.pressure.element_bytes);
    out.put(of.pressure.updates);
    out.put(of.pressure.uncounted);
    out.put_all(of.pressure.top, [&](const Element& element) { out.put(element); });
  });
  out.put_all(report.sites, [&](const ChunkReport::UsedSite& site) {
    out.put(site.site);
    out.put(site.bytes);
    out.put(site.region);
  });
  return out.used();
}

std::optional<ChunkReport> read_report(std::span<const std::uint8_t> from) {
  Reader in(from);
  ChunkReport report;
  report.rows = in.get<std::uint64_t>();
  report.busiest = in.get<reference::BusiestWarps>();
  report.lines = in.get_all<reference::LineCounters>(
      sizeof(reference::LineCounters), [&] { return in.get<reference::LineCounters>(); });
  report.pressure = in.get_all<RegionPressure>(32, [&] {
    RegionPressure of;
    of.region = in.get<std::uint32_t>();
    of.pressure.element_bytes = in.get<std::uint32_t>();
    of.pressure.updates = in.get<std::uint64_t>();
    of.pressure.uncounted = in.get<std::uint64_t>();
    of.pressure.top = in.get_all<Element>(sizeof(Element), [&] { return in.get<Element>(); });
    return of;
  });
  report.sites = in.get_all<ChunkReport::UsedSite>(7, [&] {
    ChunkReport::UsedSite site;
    site.site = in.get<SiteNumber>();
    site.bytes = in.get<std::uint8_t>();
    site.region = in.get<std::uint32_t>();
    return site;
  });
  if (!in.read_all()) return std::nullopt;
  return report;
}

}  // namespace histolab::kernels::emulator
