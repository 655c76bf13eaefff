#include "kernels/emulator/messages/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "kernels/emulator/memory/source_line.h"

namespace histolab::kernels::emulator {

namespace {

int coordinates(const Dim3& at) {
  if (at.z != 0) return 3;
  return at.y != 0 ? 2 : 1;
}

std::string describe_coordinates(const Dim3& at, int coordinates) {
  if (coordinates == 3) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (coordinates == 2) return fmt::format("({}, {})", at.x, at.y);
  return fmt::format("{}", at.x);
}

}  // namespace

ThreadNames::ThreadNames(const ThreadId& one, const ThreadId& other)
    : of_thread_(std::max(coordinates(one.thread), coordinates(other.thread))),
      of_block_(std::max(coordinates(one.block), coordinates(other.block))) {}

std::string ThreadNames::thread(const ThreadId& id) const {
  return describe_coordinates(id.thread, of_thread_);
}

std::string ThreadNames::block(const ThreadId& id) const {
  return describe_coordinates(id.block, of_block_);
}

std::string ThreadNames::both(const ThreadId& id) const {
  return fmt::format("thread {} of block {}", thread(id), block(id));
}
std::string describe(const ThreadId& id) { return ThreadNames(id, id).both(id); }

std::string describe_pair(const ThreadId& one, const ThreadId& two) {
  const auto order = [](const ThreadId& id) {
    return std::tie(id.block.z, id.block.y, id.block.x, id.thread.z, id.thread.y, id.thread.x);
  };
  const auto [a, b] = std::minmax(
      one, two, [&](const ThreadId& x, const ThreadId& y) { return order(x) < order(y); });
  const ThreadNames names(a, b);
  if (a.block == b.block)
    return fmt::format("threads {} and {} of block {}", names.thread(a), names.thread(b),
                       names.block(a));
  return fmt::format("{} and {}", names.both(a), names.both(b));
}

std::string describe_element(const Finding& finding) {
  if (finding.variable.empty()) return "memory";
  return finding.index ? fmt::format("{}[{}]", finding.variable, *finding.index) : finding.variable;
}

std::string describe_lanes(std::uint32_t lanes) {
  std::string all;
  for (std::uint32_t first = 0; first < 32; ++first) {
    if ((lanes >> first & 1) == 0) continue;
    std::uint32_t last = first;
    while (last < 31 && (lanes >> (last + 1) & 1) != 0) ++last;
    const bool more = last < 31 && lanes >> (last + 1) != 0;
    if (!all.empty()) all += more ? ", " : " and ";
    all += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    first = last;
  }
  const bool is_one = (lanes & (lanes - 1)) == 0;
  return (is_one ? "lane " : "lanes ") + all;
}

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
    case AccessKind::volatile_load: return "reads";
    case AccessKind::store: return "writes";
    case AccessKind::release: return "frees";
    case AccessKind::atomic:
    case AccessKind::compare_and_swap:
    case AccessKind::exchange: break;
  }
  return "atomically updates";
}

std::string line_name(int line) {
  return file_of_line(line) == 0 ? fmt::format("line {}", line) : line_text(line);
}

std::string at_line(int line) {
  return line > 0 ? fmt::format(" ({})", line_name(line)) : std::string();
}

}  // namespace histolab::kernels::emulator
