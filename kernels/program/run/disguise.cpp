#include "kernels/program/run/disguise.h"

namespace histolab::kernels::program {

Result<Disguise> Disguise::put_on(ProgramMemoryFiles& files, std::vector<ByteRange> parts,
                                  std::uint8_t byte) {
  std::vector<Part> kept;
  for (const ByteRange& each : parts) {
    Part& part = kept.emplace_back();
    part.offset = each.offset;
    part.former.resize(each.bytes);
    TRY(files.read(part.offset, part.former));
    std::vector<std::uint8_t> bytes = part.former;
    for (std::uint8_t& value : bytes)
      if (value != 0) value = byte;
    TRY(files.write(part.offset, bytes));
  }
  return Disguise(std::move(kept), byte);
}

Status Disguise::take_off(ProgramMemoryFiles& files) const {
  for (const Part& part : parts_) {
    std::vector<std::uint8_t> bytes(part.former.size());
    TRY(files.read(part.offset, bytes));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (part.former[i] != 0 && bytes[i] == byte_) bytes[i] = part.former[i];
    TRY(files.write(part.offset, bytes));
  }
  return Done{};
}

}  // namespace histolab::kernels::program
