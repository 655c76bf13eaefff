#include "grader/launch_buffers.h"

#include <cstring>

#include "grader/launch_plan.h"

namespace histolab::grader {

Result<LaunchBuffers> LaunchBuffers::make(const LabSpec& lab, const std::vector<std::uint8_t>& data) {
  Result<kernels::Buffer> input = kernels::Buffer::copy_of(data);
  if (!input) return input.error();
  Result<kernels::Buffer> output = kernels::Buffer::zeroed(std::size_t{lab.binning.bins} * sizeof(std::uint32_t));
  if (!output) return output.error();
  return LaunchBuffers{std::move(*input), std::move(*output)};
}

std::vector<kernels::Argument> LaunchBuffers::arguments(const LabSpec& lab, std::uint64_t length) {
  std::vector<kernels::Argument> arguments = arguments_of(lab, length);
  for (kernels::Argument& argument : arguments) {
    if (argument.kind == kernels::Argument::Kind::input) argument.input = &input_;
    if (argument.kind == kernels::Argument::Kind::output) argument.output = &output_;
  }
  return arguments;
}

std::vector<std::uint64_t> LaunchBuffers::histogram() const {
  std::vector<std::uint32_t> words(output_.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), output_.bytes().data(), words.size() * sizeof(std::uint32_t));
  return {words.begin(), words.end()};
}

}  // namespace histolab::grader
