#include "kernels/program/run/disguise.h"

#include <algorithm>

namespace histolab::kernels::program {

Result<Disguise> Disguise::put_on(const ProgramMemoryFiles& files, std::vector<ByteRange> parts,
                                  const std::vector<ByteRange>& inputs, std::uint8_t byte,
                                  std::uint64_t& left) {
  ProgramMemoryFiles seen = TRY(files.make_similar()), before = TRY(files.make_similar());
  std::vector<std::uint8_t> bytes;
  for (const ByteRange& part : parts) {
    for (const ByteRange& each : files.data_in(part, left)) {
      const std::span<const std::uint8_t> there = files.bytes(each);
      bytes.assign(there.begin(), there.end());
      left -= each.bytes;
      TRY(seen.write(each.offset, bytes));
      TRY(before.write(each.offset, bytes));
    }
  }
  for (const ByteRange& input : inputs) {
    for (const ByteRange& each : before.data_in(input)) {
      const std::span<const std::uint8_t> there = before.bytes(each);
      bytes.assign(there.begin(), there.end());
      for (std::uint8_t& value : bytes)
        if (value != 0) value = byte;
      TRY(seen.write(each.offset, bytes));
      TRY(before.write(each.offset, bytes));
    }
  }
  return Disguise(std::move(parts), std::move(seen), std::move(before));
}

Status Disguise::take_off(ProgramMemoryFiles& files) const {
  std::vector<std::uint8_t> bytes;
  for (const ByteRange& part : parts_) {
    for (const ByteRange& each : seen_.data_in(part)) {
      const auto now = seen_.bytes(each), former = before_.bytes(each), there = files.bytes(each);
      if (std::ranges::equal(now, former)) continue;
      bytes.assign(there.begin(), there.end());
      for (std::size_t i = 0; i < bytes.size(); ++i)
        if (now[i] != former[i]) bytes[i] = now[i];
      TRY(files.write(each.offset, bytes));
    }
  }
  return Done{};
}

}  // namespace histolab::kernels::program
