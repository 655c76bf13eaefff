#include "kernels/gpu/ptxas_report.h"

#include <algorithm>
#include <charconv>

namespace histolab::kernels::gpu {
namespace {

// Returns the number in front of `words`, such as 28 for " bytes smem" in "used 1 barriers, 28
// bytes smem". Returns 0 if the line does not contain `words`.
std::uint64_t number_before(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return 0;
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::uint64_t value = 0;
  std::from_chars(line.data() + begin, line.data() + at, value);
  return value;
}

}  // namespace

std::vector<KernelResources> read_ptxas_report(std::string_view log) {
  constexpr std::string_view entry = "Compiling entry function '";
  std::vector<KernelResources> kernels;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (const std::size_t at = line.find(entry); at != std::string_view::npos) {
      const std::string_view rest = line.substr(at + entry.size());
      kernels.push_back({.symbol = std::string{rest.substr(0, rest.find('\''))}});
    }
    if (kernels.empty()) continue;
    KernelResources& kernel = kernels.back();
    if (line.find("bytes stack frame") != std::string_view::npos) {
      // The functions that the kernel calls follow it, each with its own stack frame.
      kernel.stack_bytes += number_before(line, " bytes stack frame");
      kernel.spill_store_bytes += number_before(line, " bytes spill stores");
      kernel.spill_load_bytes += number_before(line, " bytes spill loads");
    } else if (line.find(" registers") != std::string_view::npos) {
      kernel.registers = static_cast<std::uint32_t>(number_before(line, " registers"));
      kernel.shared_bytes = number_before(line, " bytes smem");
    }
  }
  return kernels;
}

}  // namespace histolab::kernels::gpu
