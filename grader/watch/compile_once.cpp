#include "grader/watch/compile_once.h"

namespace histolab::grader {

Result<kernels::Compiled> CompileOnce::compile(const kernels::Source& source, const std::vector<kernels::KernelSignature>& signatures) {
  std::vector<std::string> declarations;
  for (const kernels::KernelSignature& each : signatures) declarations.push_back(each.declaration);
  {
    const std::lock_guard lock{lock_};
    if (known_ && known_->source.path == source.path && known_->source.text == source.text && known_->declarations == declarations) return known_->compiled;
  }
  Result<kernels::Compiled> compiled = device_.compile(source, signatures);
  if (!compiled) return compiled;
  const std::lock_guard lock{lock_};
  known_ = Known{source, std::move(declarations), *compiled};
  return compiled;
}

}  // namespace histolab::grader
