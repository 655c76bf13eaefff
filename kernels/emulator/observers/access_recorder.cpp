#include "kernels/emulator/observers/access_recorder.h"

#include "kernels/emulator/observers/operation.h"

namespace histolab::kernels::emulator {

void AccessRecorder::on_access(const WarpAccess& access) {
  const std::optional<Cost> cost = account_for(access);
  if (!cost || context_.accesses->size() == context_.recorded_accesses) return;
  const Region& region = *access.region;
  const bool shared = region.space == Space::shared;
  RecordedAccess recorded;
  recorded.block = context_.block;
  recorded.warp = access.warp;
  recorded.line = context_.line(access.site);
  recorded.operation = operation_of(access.kind);
  recorded.space = region.space;
  recorded.variable = region.name;
  recorded.bytes = access.bytes;
  recorded.active = access.active;
  recorded.offset = access.offset;
  recorded.base = region.bank_base;
  (shared ? recorded.wavefronts : recorded.sectors) = cost->parts;
  recorded.same_address_degree = cost->same_address_degree;
  context_.accesses->push_back(std::move(recorded));
}

}  // namespace histolab::kernels::emulator
