#include "kernels/gpu/protocol.h"

#include "kernels/worker/protocol/observation_fields.h"

namespace histolab::kernels {

template <class F, Describes<TimedKernel> Value>
void fields(F& f, Value& kernel) {
  f("ending", kernel.ending), f("detail", kernel.ending_detail, longest_message);
  f("findings", kernel.findings, worker::most_findings), f("timing", kernel.timing);
}

template <class F, Describes<TimingPlan::Sample::Change> Value>
void fields(F& f, Value& change) {
  f.as_row();
  f("at", change.at), f("byte", change.byte);
}
template <class F, Describes<TimingPlan::Sample> Value>
void fields(F& f, Value& sample) {
  f.as_row();
  f("input", sample.input), f("changes", sample.changes);
}

namespace gpu {

constexpr auto last_of(Request::What) { return Request::What::time; }

template <class F, Describes<Blob> Value>
void fields(F& f, Value& blob) {
  f("descriptor", blob.descriptor), f("bytes", blob.bytes);
}
template <class F, Describes<GpuDescription> Value>
void fields(F& f, Value& gpu) {
  f("name", gpu.name), f("driver", gpu.driver), f("capability", gpu.capability);
  f("multiprocessors", gpu.multiprocessors);
}
template <class F, Describes<Cubin> Value>
void fields(F& f, Value& cubin) {
  f("kernels", cubin.kernels), f("words", cubin.words);
  f("calls_the_driver", cubin.calls_the_driver);
}
template <class F, Describes<KernelResources> Value>
void fields(F& f, Value& resources) {
  f("symbol", resources.symbol), f("registers", resources.registers);
  f("shared_bytes", resources.shared_bytes), f("stack_bytes", resources.stack_bytes);
  f("spill_store_bytes", resources.spill_store_bytes);
  f("spill_load_bytes", resources.spill_load_bytes);
}
template <class F, Describes<GpuArgument> Value>
void fields(F& f, Value& argument) {
  f("kind", argument.kind), f("name", argument.name), f("buffer", argument.buffer);
  f("word", argument.word), f("offset", argument.offset);
}
template <class F, Describes<KernelImage> Value>
void fields(F& f, Value& image) {
  f("cubin", image.cubin), f("symbol", image.symbol), f("config", image.config);
  f("may_be_watched", image.may_be_watched), f("is_cooperative", image.is_cooperative);
  f("arguments", image.arguments);
}
template <class F, Describes<Request> Value>
void fields(F& f, Value& request) {
  f("what", request.what), f("gpu", request.gpu), f("source", request.source);
  f("capability", request.capability), f("harness", request.harness);
  f("kernels", request.kernels), f("limit_ms", request.limit_ms), f("launches", request.launches);
  f("inputs", request.inputs), f("outputs", request.outputs);
  f("output_bytes", request.output_bytes), f("samples", request.samples);
  f("least_samples", request.least_samples), f("budget_ms", request.budget_ms);
  f("wanted_spread", request.wanted_spread);
}
template <class F, Describes<Answer> Value>
void fields(F& f, Value& answer) {
  f("machine_error", answer.machine_error), f("gpus", answer.gpus);
  f("diagnostics", answer.diagnostics), f("resources", answer.resources);
  f("contents", answer.contents), f("is_cooperative", answer.is_cooperative);
  f("cubin_bytes", answer.cubin_bytes), f("harness_bytes", answer.harness_bytes);
  f("observations", answer.observations), f("timed", answer.timed);
}

std::string to_text(const Request& request) { return worker::write_message(request); }
Result<Request> request_from(std::string_view text) {
  return worker::read_message<Request>(text, "the GPU worker's request");
}
std::string to_text(const Answer& answer) { return worker::write_message(answer); }
Result<Answer> answer_from(std::string_view text) {
  Answer answer = TRY(worker::read_message<Answer>(text, "the GPU worker's answer"));
  // A GPU has no counters: it may not claim any.
  for (Observation& each : answer.observations) {
    Observation known;
    known.ending = each.ending, known.ending_detail = std::move(each.ending_detail);
    known.findings = std::move(each.findings), known.printed = std::move(each.printed);
    known.timing = std::move(each.timing);
    each = std::move(known);
  }
  return answer;
}

}  // namespace gpu
}  // namespace histolab::kernels
