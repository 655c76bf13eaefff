#include "grader/lab/launch_buffers.h"

#include <algorithm>

namespace histolab::grader {

Result<LaunchBuffers> LaunchBuffers::make(const LabSpec& lab, const LaunchShape& shape,
                                          const std::vector<std::uint8_t>& data) {
  kernels::Buffer input = TRY(kernels::Buffer::zeroed(shape.offset + data.size()));
  std::copy(data.begin(), data.end(), input.bytes().begin() + shape.offset);
  kernels::Buffer output = TRY(kernels::Buffer::zeroed(output_bytes(lab, shape)));
  const reference::Task& task = lab.kernels.at(shape.kernel).task;
  if (task.initial() != 0) reference::fill(task.word, task.initial(), output.bytes());
  return LaunchBuffers{std::move(input), std::move(output), task.word, shape.binning.bins};
}

std::vector<kernels::Argument> LaunchBuffers::arguments(const LabSpec& lab,
                                                        const LaunchShape& shape) {
  std::vector<kernels::Argument> arguments = arguments_of(lab, shape);
  for (kernels::Argument& argument : arguments) {
    if (argument.kind == kernels::Argument::Kind::input) argument.input = &input_;
    if (argument.kind == kernels::Argument::Kind::output) argument.output = &output_;
  }
  return arguments;
}

reference::Values LaunchBuffers::values() const {
  const kernels::Buffer& output = output_;
  return reference::values_of(
      word_, output.bytes().first(std::size_t{bins_} * reference::bytes_of(word_)));
}

}  // namespace histolab::grader
