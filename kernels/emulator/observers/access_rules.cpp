#include "kernels/emulator/observers/access_rules.h"

#include "kernels/emulator/launch/read_bytes.h"
#include "kernels/emulator/messages/memory_messages.h"

namespace histolab::kernels::emulator {
namespace {

Finding at_lane(const LaunchContext& context, FindingKind kind, const WarpAccess& access,
                std::uint32_t lane) {
  Finding finding;
  finding.kind = kind;
  finding.space = access.region->space;
  finding.variable = access.region->name;
  const std::uint32_t element =
      access.region->element_bytes != 0 ? access.region->element_bytes : access.bytes;
  finding.index = access.offset[lane] / element;
  finding.line = context.line(access.site);
  finding.thread = context.thread_id(access.warp * 32 + lane);
  return finding;
}

}  // namespace

void BoundsObserver::on_stray_access(const StrayAccess& access) {
  const Window& window = *context_.window;
  const Region* meant = (*context_.sites)[access.site].usual;
  const Region* there = window.find(access.address);
  if (there != nullptr && there->role == Region::Role::local) {
    Finding finding;
    finding.kind = FindingKind::out_of_bounds;
    finding.space = Space::local;
    finding.line = context_.line(access.site);
    finding.thread = context_.thread_id(access.lane);
    const bool own =
        (access.address - there->address()) / Window::stack_bytes == context_.stack_of(access.lane);
    finding.message = own ? beyond_local_message(finding, access.kind, access.bytes)
                          : others_local_message(finding, access.kind);
    return void(context_.findings->add(std::move(finding)));
  }
  // Each thread may have its own allocation, so the site's usual region is a bad guess. The pointer
  // may also be one to memory that was freed.
  if (meant == nullptr ||
      (there != nullptr && (there->role == Region::Role::heap || there->is_freed)))
    meant = there;
  // A 32-bit index into elements of 16 bytes reaches this far from a buffer. An access farther away
  // was not meant for any.
  constexpr std::uint64_t reach = 64ull << 30;
  const bool wild = access.address - (window.begin() - reach) >= window.size() + 2 * reach;
  if (meant == nullptr && !wild) meant = window.nearest(access.address, access.bytes);
  if (wild) meant = nullptr;
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.space = Space::global;
  finding.line = context_.line(access.site);
  finding.thread = context_.thread_id(access.lane);
  std::uint32_t element = access.bytes;
  const bool freed = meant != nullptr && meant->is_freed &&
                     access.address - meant->address() < meant->size + meant->freed_bytes;
  // The host freed it.
  if (freed && !meant->freed_at.empty()) finding.kind = FindingKind::use_after_free;
  if (meant != nullptr) {
    if (meant->element_bytes != 0) element = meant->element_bytes;
    const auto distance = static_cast<std::int64_t>(access.address - meant->address());
    const auto size = static_cast<std::int64_t>(element);
    finding.space = meant->space;
    finding.variable = meant->name;
    finding.index = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
    // If the access begins inside and ends outside, name its first element outside.
    if (distance >= 0 && static_cast<std::uint64_t>(distance) < meant->size && !freed)
      finding.index = static_cast<std::int64_t>(meant->size / element);
  }
  finding.message =
      freed ? use_after_free_message(finding, access.kind, *meant)
            : out_of_bounds_message(finding, access.kind, access.address, meant, element);
  const std::size_t number = context_.findings->add(std::move(finding));
  if (freed) context_.findings->is_about_freed(number);
}

void InputObserver::on_access(const WarpAccess& access) {
  if (!access.region->is_read_only()) return;
  if (access.region->read != nullptr && reads(access.kind)) access.region->read->mark(access);
  if (!writes(access.kind)) return;
  for_each_lane(access.active, [&](std::uint32_t lane) {
    Finding finding = at_lane(context_, FindingKind::write_to_input, access, lane);
    finding.message = write_to_input_message(finding, access.region->role != Region::Role::input);
    context_.findings->add(std::move(finding));
  });
}

void AlignmentObserver::on_access(const WarpAccess& access) {
  const std::uint32_t low_bits = access.bytes - 1u;
  const std::uint32_t askew = access.region->askew;
  if (((access.any_bits | askew) & low_bits) == 0 || (access.bytes & low_bits) != 0) return;
  if ((*context_.sites)[access.site].in_pieces) return;
  for_each_lane(access.active, [&](std::uint32_t lane) {
    if (((access.offset[lane] + askew) & low_bits) == 0) return;
    Finding finding = at_lane(context_, FindingKind::misaligned_access, access, lane);
    // An index in elements of the access's own width would not show the misalignment.
    const bool by_byte = access.region->element_bytes == 0;
    finding.message =
        misaligned_access_message(finding, access.kind, access.bytes,
                                  by_byte ? std::optional(access.offset[lane]) : std::nullopt);
    context_.findings->add(std::move(finding));
  });
}

void LocalObserver::on_local_access(const WarpAccess& access) {
  for_each_lane(access.active, [&](std::uint32_t lane) {
    const bool own =
        access.offset[lane] / Window::stack_bytes == context_.stack_of(access.warp * 32 + lane);
    if (own && !is_atomic(access.kind)) return;
    Finding finding =
        at_lane(context_, own ? FindingKind::illegal_instruction : FindingKind::out_of_bounds,
                access, lane);
    finding.index.reset();  // it is an offset in all stacks, not in a variable
    finding.message =
        own ? atomic_on_local_message(finding) : others_local_message(finding, access.kind);
    context_.findings->add(std::move(finding));
  });
}

}  // namespace histolab::kernels::emulator
