#include "kernels/worker/protocol/protocol.h"

#include <cstring>

#include "kernels/worker/protocol/observation_fields.h"

namespace histolab::kernels {

constexpr auto last_of(KernelSignature::Parameter) { return KernelSignature::Parameter::word; }

template <class F, Describes<KernelSignature> Value>
void fields(F& f, Value& signature) {
  f("name", signature.name), f("parameters", signature.parameters);
  f("declaration", signature.declaration), f("exports", signature.exports);
  f("is_mangled", signature.is_mangled);
}

template <class F, Describes<Options> Value>
void fields(F& f, Value& options) {
  f("schedule", options.schedule), f("block_order", options.block_order);
  f("seed", options.seed), f("steps", options.steps_per_thread);
  for (const NamedObserver& each : all_observers)
    f(each.name.data(), options.observers.*each.is_on);
  f("accesses_to_record", options.recorded_accesses), f("steps_to_record", options.recorded_steps);
  f("threads_to_record", options.recorded_threads);
  f("debugged", options.debugged);
}

}  // namespace histolab::kernels

namespace histolab::kernels::emulator {

template <class F, Describes<WideAccess> Value>
void fields(F& f, Value& access) {
  f.as_row();
  f("line", access.line), f("bytes", access.bytes);
}

template <class F, Describes<MappedArgument> Value>
void fields(F& f, Value& argument) {
  f.as_row();
  f("kind", argument.kind), f("name", argument.name), f("element_bytes", argument.element_bytes);
  f("bytes", argument.bytes), f("fd", argument.fd), f("word", argument.word);
  f("initialized", argument.initialized), f("offset", argument.offset);
}

// Most words are 0.
template <class F, Describes<RawArguments> Value>
void fields(F& f, Value& arguments) {
  f.as_row();
  f("stack_bytes", arguments.stack_bytes, 0, RawArguments::most_stack_bytes);
  f("has_vectors", arguments.has_vectors, 0, 1);
  f.sparse([&](auto&& word) {
    const auto each = [&](auto* bytes) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes, sizeof value);
      word(value);
      if constexpr (!F::writes) std::memcpy(bytes, &value, sizeof value);
    };
    for (auto& integer : arguments.integers) each(&integer);
    for (auto& vector : arguments.vectors) each(vector.data()), each(vector.data() + 8);
    for (std::size_t i = 0; i < RawArguments::most_stack_bytes; i += 8)
      each(arguments.stack.data() + i);
  });
}

template <class F, Describes<ProgramAllocation> Value>
void fields(F& f, Value& allocation) {
  f.as_row();
  f("offset", allocation.offset), f("bytes", allocation.bytes);
  f("element_bytes", allocation.element_bytes), f("name", allocation.name);
  f("written", allocation.written);
  f("is_freed", allocation.is_freed), f("freed_at", allocation.freed_at);
  f("pointers", allocation.pointers), f("is_too_large", allocation.is_too_large);
}

template <class F, Describes<ProgramVariable> Value>
void fields(F& f, Value& variable) {
  f.as_row();
  f("symbol", variable.symbol), f("offset", variable.offset), f("bytes", variable.bytes);
}

template <class F, Describes<ProgramMemory> Value>
void fields(F& f, Value& memory) {
  f("fd", memory.fd), f("written_fd", memory.written_fd);
  f("allocations", memory.allocations), f("variables", memory.variables);
}

template <class F, Describes<ProgramLaunch> Value>
void fields(F& f, Value& launch) {
  f("kernel", launch.kernel), f("config", launch.config), f("arguments", launch.arguments);
  f("memory", launch.memory), f("library_folders", launch.library_folders),
      f("for_debugger", launch.for_debugger);
}

template <class F, Describes<UsedVariable> Value>
void fields(F& f, Value& variable) {
  f.as_row();
  f("name", variable.name, longest_name), f("line", variable.line, 0);
}

template <class F, Describes<ModuleInfo> Value>
void fields(F& f, Value& module) {
  f("diagnostics", module.diagnostics, worker::most_findings), f("exports", module.exports);
  f("static_shared", module.static_shared_bytes);
  f("variables", module.variables, worker::most_variables);
}

}  // namespace histolab::kernels::emulator

namespace histolab::kernels::program {

constexpr auto last_of(ArgumentPlace::Where) { return ArgumentPlace::Where::stack; }
constexpr auto last_of(ArgumentPlace::Holds) { return ArgumentPlace::Holds::pointer; }

template <class F, Describes<ByteRange> Value>
void fields(F& f, Value& range) {
  f.as_row();
  f("offset", range.offset), f("bytes", range.bytes);
}

template <class F, Describes<ArgumentPlace> Value>
void fields(F& f, Value& place) {
  f.as_row();
  f("argument", place.argument), f("offset", place.offset), f("bytes", place.bytes);
  f("where", place.where), f("index", place.index), f("holds", place.holds);
}

template <class F, Describes<KernelParameter> Value>
void fields(F& f, Value& parameter) {
  f.as_row();
  f("name", parameter.name, longest_name), f("bytes", parameter.bytes);
  f("is_pointer", parameter.is_pointer), f("to_const", parameter.to_const);
  f("element_bytes", parameter.element_bytes), f("places", parameter.places);
}

template <class F, Describes<KernelFacts> Value>
void fields(F& f, Value& facts) {
  f("name", facts.name, longest_name), f("static_shared", facts.static_shared_bytes);
  f("max_threads", facts.max_threads_per_block), f("grid_sync", facts.calls_grid_sync);
  f("parameters", facts.parameters);
}

template <class F, Describes<DescribedKernel> Value>
void fields(F& f, Value& kernel) {
  f("symbol", kernel.symbol), f("address", kernel.address);
  f("object", kernel.object), f("facts", kernel.facts);
}

template <class F, Describes<DescribedVariable> Value>
void fields(F& f, Value& variable) {
  f.as_row();
  f("symbol", variable.symbol), f("name", variable.name, longest_name);
  f("offset", variable.offset), f("bytes", variable.bytes), f("host", variable.host);
}

template <class F, Describes<DescribedSection> Value>
void fields(F& f, Value& section) {
  f("object", section.object), f("bytes", section.bytes), f("alignment", section.alignment);
  f("may_be_host", section.may_be_host), f("contents", section.contents);
  f("variables", section.variables);
}

template <class F, Describes<DescribedLine> Value>
void fields(F& f, Value& line) {
  f.as_row();
  f("address", line.address), f("file", line.file), f("line", line.line);
}

template <class F, Describes<ProgramDescription> Value>
void fields(F& f, Value& description) {
  f("objects", description.objects), f("kernels", description.kernels);
  f("sections", description.sections), f("managed", description.managed);
  f("files", description.files, worker::most_variables, longest_name);
  f("lines", description.lines);
}

}  // namespace histolab::kernels::program

namespace histolab::kernels::worker {

template <class F, Describes<Request> Value>
void fields(F& f, Value& request) {
  f("signatures", request.signatures), f("launch", request.launch);
  f.or_null("program", request.program);
  f.require(!request.launch || request.program || request.signatures.size() == 1);
  f("config", request.config), f("options", request.options);
  f("live", request.live_descriptor), f("launches", request.launches);
  f("wide", request.wide_accesses), f("local_lines", request.local_lines);
  f.or_null("describes_program", request.describes_program);
  f("data_limit", request.own_data_limit);
}

template <class F, Describes<Answer> Value>
void fields(F& f, Value& answer) {
  f("machine_error", answer.machine_error, longest_message);
  f("modules", answer.modules, most_variables);
  f("observations", answer.observations, most_variables);
  f("written", answer.written);
  f.or_null("description", answer.description);
}

std::string to_text(const Request& request) { return write_message(request); }
Result<Request> request_from(std::string_view text) {
  return read_message<Request>(text, "the request");
}
std::string to_text(const Answer& answer) { return write_message(answer); }
Result<Answer> answer_from(std::string_view text) {
  return read_message<Answer>(text, "the worker's answer");
}

}  // namespace histolab::kernels::worker
