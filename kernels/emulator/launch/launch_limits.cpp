#include "kernels/emulator/launch/launch_limits.h"

#include <fmt/format.h>

#include <string>

#include "reference/occupancy.h"

namespace histolab::kernels::emulator {
namespace {

// Describes the first dimension that is zero or too large. Returns "" if all are valid.
std::string wrong_dimension(const char* what, const Dim3& shape, const Dim3& most) {
  const struct {
    char name;
    std::uint32_t value, most;
  } dimensions[] = {{'x', shape.x, most.x}, {'y', shape.y, most.y}, {'z', shape.z, most.z}};
  for (const auto& d : dimensions) {
    if (d.value == 0)
      return fmt::format("a {} with {} = 0 is empty. Every dimension must be at least 1", what,
                         d.name);
    if (d.value > d.most)
      return fmt::format(
          "a {} with {} = {} is not possible: {} may be at most {}. Launch a smaller one", what,
          d.name, d.value, d.name, d.most);
  }
  return {};
}

std::string wrong_shape(const LaunchConfig& config, const KernelLimits& kernel,
                        const reference::DeviceProfile& p) {
  if (std::string wrong =
          wrong_dimension("block", config.block, {p.max_block_x, p.max_block_y, p.max_block_z});
      !wrong.empty())
    return wrong;
  if (std::string wrong =
          wrong_dimension("grid", config.grid, {p.max_grid_x, p.max_grid_y, p.max_grid_z});
      !wrong.empty())
    return wrong;
  const std::uint64_t threads = config.block.count();
  if (threads > p.max_threads_per_block)
    return fmt::format(
        "a block of {} threads ({} x {} x {}) is not possible: it may have at most {}. Launch more "
        "blocks, each of them smaller",
        threads, config.block.x, config.block.y, config.block.z, p.max_threads_per_block);
  if (kernel.max_threads_per_block != 0 && threads > kernel.max_threads_per_block)
    return fmt::format(
        "__launch_bounds__ promises blocks of at most {} threads, but the harness launches blocks "
        "of {}: the launch would fail on any GPU. Write __launch_bounds__(1024), or delete "
        "__launch_bounds__",
        kernel.max_threads_per_block, threads);
  return {};
}

std::string too_much_shared(const LaunchConfig& config, const KernelLimits& kernel,
                            const reference::DeviceProfile& p) {
  const std::uint64_t in_all = kernel.static_shared_bytes + config.dynamic_shared_bytes;
  if (kernel.static_shared_bytes > p.shared_bytes_per_block)
    return fmt::format(
        "the kernel's shared arrays take {} bytes, but arrays of fixed size may take at most {} "
        "together: nvcc rejects them (\"uses too much shared data\", {:#x} bytes, {:#x} max). Make "
        "them smaller",
        kernel.static_shared_bytes, p.shared_bytes_per_block, kernel.static_shared_bytes,
        p.shared_bytes_per_block);
  const std::uint64_t limit =
      config.shared_opt_in ? p.shared_bytes_per_block_opt_in : p.shared_bytes_per_block;
  if (in_all <= limit) return {};
  std::string what = fmt::format(
      "the launch asks for {} bytes of shared memory per block ({} static + {} dynamic), but a "
      "block has {}",
      in_all, kernel.static_shared_bytes, config.dynamic_shared_bytes, limit);
  if (!config.shared_opt_in && in_all <= p.shared_bytes_per_block_opt_in)
    return what +
           fmt::format(
               " unless the host program opts in to more (up to {}, with cudaFuncSetAttribute), "
               "which this one does not. Make the arrays smaller, or let a block hold fewer bins",
               p.shared_bytes_per_block_opt_in);
  return what + fmt::format(" on this device ({}). Make the arrays smaller", p.name);
}

// Returns "" if all blocks of the grid can be resident at once, else the reason. A single block
// fits.
std::string too_many_to_be_resident(const LaunchConfig& config, const KernelLimits& kernel,
                                    const reference::DeviceProfile& p) {
  const std::uint64_t shared = kernel.static_shared_bytes + config.dynamic_shared_bytes;
  const std::uint64_t on_each = reference::occupancy(p, config.block.count(), shared).blocks,
                      most = on_each * p.multiprocessors;
  if (config.grid.count() <= most) return {};
  return fmt::format(
      "the kernel calls grid.sync(), so all {} blocks must be resident at once, but the GPU holds "
      "{}: {} multiprocessors, {} blocks of {} threads and {} bytes of shared memory on each ({}). "
      "Launch fewer blocks, and let each thread take several elements",
      config.grid.count(), most, p.multiprocessors, on_each, config.block.count(), shared, p.name);
}

}  // namespace

std::optional<Finding> refuse_launch(const LaunchConfig& config, const KernelLimits& kernel,
                                     const reference::DeviceProfile& profile) {
  Finding finding;
  finding.kind = FindingKind::invalid_launch;
  finding.message = wrong_shape(config, kernel, profile);
  if (!finding.message.empty()) return finding;
  finding.kind = FindingKind::shared_memory_limit;
  finding.space = Space::shared;
  finding.message = too_much_shared(config, kernel, profile);
  if (!finding.message.empty()) return finding;
  finding.kind = FindingKind::invalid_launch;
  finding.space = Space::none;
  if (kernel.is_cooperative) finding.message = too_many_to_be_resident(config, kernel, profile);
  if (!finding.message.empty()) return finding;
  if (config.grid.count() <= 0x7fffffff) return std::nullopt;
  finding.kind = FindingKind::unsupported;
  finding.message = fmt::format(
      "a grid of {} blocks is valid CUDA, but the emulator runs at most 2147483647. Launch fewer "
      "blocks",
      config.grid.count());
  return finding;
}

}  // namespace histolab::kernels::emulator
