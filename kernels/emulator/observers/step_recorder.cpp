#include "kernels/emulator/observers/step_recorder.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "kernels/emulator/observers/operation.h"

namespace histolab::kernels::emulator {
namespace {

std::uint64_t value_of(const std::uint8_t* place, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, place, bytes);
  return value;
}

}  // namespace

void StepRecorder::on_lane_access(const LaneAccess& access) {
  if (!access.belongs_to_last) settle();
  if (context_.steps->size() == context_.recorded_steps || access.kind == AccessKind::release)
    return;
  if (!is_recorded(access.lane)) return;
  if (access.bytes > sizeof(std::uint64_t)) return;
  const Region& region = *access.region;
  const std::uint8_t* const place = region.begin + access.offset;
  RecordedStep step;
  step.block = context_.block;
  step.thread = access.lane;
  step.line = context_.line(access.site);
  step.operation = operation_of(access.kind);
  step.space = region.space;
  step.variable = region.name;
  step.index = access.offset / (region.element_bytes != 0 ? region.element_bytes : access.bytes);
  step.bytes = access.bytes;
  step.before = value_of(place, access.bytes);
  open_.push_back({context_.steps->size(), place});
  context_.steps->push_back(std::move(step));
}

bool StepRecorder::is_recorded(std::uint32_t lane) const {
  const std::span<const std::uint64_t> threads = context_.recorded_threads;
  const std::uint64_t number = context_.block * context_.config.block.count() + lane;
  return threads.empty() || std::ranges::find(threads, number) != threads.end();
}

void StepRecorder::settle() {
  for (const Open& open : open_) {
    RecordedStep& step = (*context_.steps)[open.step];
    step.after = value_of(open.place, step.bytes);
  }
  open_.clear();
}

}  // namespace histolab::kernels::emulator
