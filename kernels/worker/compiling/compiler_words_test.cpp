#include "kernels/worker/compiling/compiler_words.h"

#include <doctest/doctest.h>

using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

// A diagnostic as g++ 14 writes it.
std::string on_many_lines(int line, const std::string& says) {
  return "{\"kind\": \"error\",\n  \"message\": \"" + says +
         "\",\n  \"locations\": [{\"caret\": {\"file\": \"kernel.cu\",\n    \"line\": " +
         std::to_string(line) + "}}]}";
}

}  // namespace

TEST_CASE(
    "compiler output of an unknown shape is ignored; diagnostics around it are still parsed") {
  for (const char* text : {"", "g++: fatal error: killed", "[]", "[1, 2]", "[{}]", "[{\"kind\":7}]",
                           "[{\"kind\":\"error\",\"locations\":7}]", "{\"kind\":\"error\"}",
                           "[{\"kind\":\"error\",\"locations\":[{\"caret\":[]}]}]", "[[", "[\"\\"})
    for (const Diagnostic& d : parse_diagnostics(text, "kernel.cu")) CHECK(d.line == 0);
  const auto one = parse_diagnostics(
      "note\n[{\"kind\":\"error\",\"message\":\"m\",\"locations\":[{\"caret\":{\"file\":\"kernel."
      "cu\",\"line\":4,\"display-column\":9}}]}]\n",
      "kernel.cu");
  REQUIRE(one.size() == 1);
  CHECK(one[0].line == 4);
  CHECK(one[0].column == 9);
  const std::string item = "{\"kind\":\"error\",\"message\":\"] } \\\" [\",\"locations\":[]}";
  CHECK(parse_diagnostics("[" + item + "," + item + ",{\"kind\":\"err", "kernel.cu").size() == 2);
  CHECK(parse_diagnostics("[" + item.substr(0, item.size() - 1), "kernel.cu").empty());
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  CHECK(parse_diagnostics("[{\"option\":" + deep + "}]\n[" + item + "]", "kernel.cu").size() == 1);
}

TEST_CASE("an error nested in another diagnostic counts like a top-level one") {
  const auto item = [](const char* kind, int line, const std::string& children) {
    return std::string("{\"kind\":\"") + kind +
           "\",\"message\":\"m\",\"locations\":[{\"caret\":{\"file\":\"kernel.cu\",\"line\":" +
           std::to_string(line) + "}}],\"children\":[" + children + "]}";
  };
  const std::string note = item("note", 9, ""), second = item("error", 2, note);
  const std::string third = item("error", 3, "");
  for (const std::string& output :
       {"[" + item("error", 1, note) + "," + second + "," + third + "]",
        "[" + item("error", 1, note + "," + second) + "," + third + "]",
        "[" + item("error", 1, note + "," + item("error", 2, third)) + "]"}) {
    CAPTURE(output);
    const auto all = parse_diagnostics(output, "kernel.cu");
    REQUIRE(all.size() == 3);
    for (int k = 0; k < 3; ++k) CHECK(all[k].line == k + 1);
  }
}

TEST_CASE("an array of diagnostics may span many lines and be cut off anywhere") {
  const std::string output = "driver: a word\n[" + on_many_lines(3, "one ]") + ",\n " +
                             on_many_lines(5, "\\\"two\\\\") + "]\ndriver: another\n[" +
                             on_many_lines(7, "three") + "]\n";
  const auto all = parse_diagnostics(output, "kernel.cu");
  REQUIRE(all.size() == 3);
  CHECK(all[0].line == 3);
  CHECK(all[0].message == "one ]");
  CHECK(all[1].line == 5);
  CHECK(all[2].line == 7);
  std::size_t before = 0;
  for (std::size_t length = 0; length <= output.size(); ++length) {
    const std::size_t now = parse_diagnostics(output.substr(0, length), "kernel.cu").size();
    CHECK(now >= before);
    before = now;
  }
}

TEST_CASE(
    "a line that sounds like the machine's failure is a complaint, unless it is about a line of "
    "the source") {
  const std::string full = "No space left on device";
  CHECK(machine_complaint("[" + on_many_lines(3, "#error " + full) + "]\n").empty());
  CHECK(machine_complaint("kernel.cu:3: Error: " + full + "\n").empty());
  const auto says = [](const char* kind, const std::string& message, const char* file) {
    const std::string place =
        *file == 0 ? "" : std::string("{\"caret\":{\"file\":\"") + file + "\",\"line\":7}}";
    return std::string("[{\"kind\":\"") + kind + "\",\"message\":\"" + message +
           "\",\"locations\":[" + place + "]}]\n";
  };
  CHECK(machine_complaint(says("fatal error", "error writing to x.s: " + full, "")) ==
        "error writing to x.s: " + full);
  CHECK(machine_complaint(
            says("fatal error", "cannot execute 'cc1plus': execvp: No such file or directory", ""))
            .starts_with("cannot execute"));
  CHECK(machine_complaint(says("fatal error", "histolab/cuda_shim.h: Input/output error",
                               "/usr/include/x.h")) == "histolab/cuda_shim.h: Input/output error");
  // A type's name contains the arguments of its template, even if the error is in a header.
  CHECK(machine_complaint(says("error",
                               "no match for 'operator<' (operand types are 'T<S{" + full + "}>')",
                               "/usr/include/x.h"))
            .empty());
  CHECK(machine_complaint(
            says("error", "no match for 'operator<' (operand types are 'T<S{" + full + "}>')", ""))
            .empty());
  CHECK(machine_complaint(
            says("fatal error",
                 "template instantiation depth exceeds maximum of 900 instantiating 'T<S{" + full +
                     "}>'",
                 "/usr/include/x.h"))
            .empty());
  CHECK(machine_complaint(says("fatal error", full, "kernel.cu")).empty());
  CHECK(machine_complaint("[" + on_many_lines(3, "x") + "]\nas: " + full + "\n") == "as: " + full);
}

TEST_CASE("bytes of a source that make g++'s JSON invalid become question marks") {
  const auto message_of = [](const std::string& bytes) {
    const auto all =
        parse_diagnostics("[" + on_many_lines(3, "#error " + bytes) + "]\n", "kernel.cu");
    return all.size() == 1 && all[0].line == 3 ? all[0].message : "not read";
  };
  CHECK(message_of("\x1b[31m red") == "#error ?[31m red");
  CHECK(message_of(std::string("a\0b\x01\x7f", 5)) == "#error a?b??");
  CHECK(message_of("caf\xe9 \xff\xfe") == "#error caf? ??");
  CHECK(message_of("\xc3\xa4 \xe2\x82") == "#error \xc3\xa4 ??");
  CHECK(message_of("\xc2\x9b") == "#error ?");        // C1
  CHECK(message_of("\\u001b[2J") == "#error ?[2J");   // in the format of later versions
  CHECK(message_of("\xed\xa0\x80") == "#error ???");  // half of a surrogate
}

TEST_CASE("a compiler that ends without an error of its own: the message names the reason") {
  const auto says = [](const std::string& errors, const std::string& text = "",
                       ProcessResult::End end = ProcessResult::End::exited) {
    ProcessResult ran;
    ran.end = end;
    ran.code = 1;
    ran.errors = errors;
    return describe_compiler_death(ran, text);
  };
  for (const char* limit :
       {"cc1plus: out of memory allocating 65536 bytes",
        "virtual memory exhausted: Cannot allocate memory",
        "g++: fatal error: Killed signal terminated program cc1plus",
        "g++: internal compiler error: CPU time limit exceeded signal terminated program cc1plus"})
    CHECK_MESSAGE(says(limit).message.starts_with("the compiler used up its memory or its time"),
                  limit);
  CHECK(says("", "", ProcessResult::End::timed_out)
            .message.starts_with("the compiler used up its memory or its time"));
  const Diagnostic vector = says("virtual memory exhausted: Cannot allocate memory",
                                 "\ntypedef int V __attribute__((__vector_size__(1 << 30)));");
  CHECK(vector.line == 2);
  CHECK(vector.message.find("vector type") != std::string::npos);
  CHECK(says("g++: internal compiler error: File size limit exceeded signal terminated program as")
            .message.find("64 MiB") != std::string::npos);
  for (const char* crash :
       {"g++: internal compiler error: Segmentation fault signal terminated program cc1plus", ""})
    CHECK_MESSAGE(says(crash).message.find("internal error") != std::string::npos, crash);
  const auto sorry = parse_diagnostics(
      "[{\"kind\":\"sorry, unimplemented\",\"message\":\"no such thing yet\",\"locations\":[]}]",
      "kernel.cu");
  REQUIRE(sorry.size() == 1);
  CHECK(sorry[0].severity == Severity::error);
  const auto ice = parse_diagnostics(
      "[{\"kind\":\"internal compiler error\",\"message\":\"in tsubst, at "
      "cp/pt.cc:15782\",\"locations\":[]}]",
      "kernel.cu");
  REQUIRE(ice.size() == 1);
  CHECK(ice[0].message.find("cp/pt.cc") == std::string::npos);
}

TEST_CASE("the assembler's output may be cut off anywhere") {
  const std::string output =
      "kernel.cu: Assembler messages:\nkernel.cu:1: Warning: what is that\nkernel.cu:3: Error: no "
      "such instruction\nkernel.cu:3: Error: again\nkernel.cu:4: Error: another";
  const auto all = assembler_diagnostics(output);
  REQUIRE(all.size() == 2);
  CHECK(all[0].line == 3);
  CHECK(all[1].line == 4);
  for (std::size_t length = 0; length < output.size(); ++length)
    CHECK(assembler_diagnostics(output.substr(0, length)).size() <= 2);
  const auto elsewhere = assembler_diagnostics(
      "[]\n/tmp/ccx.s: Assembler messages:\n/tmp/ccx.s:7: Error: file not found: "
      "nothing\n/tmp/ccx.s:9: Error: bad\n");
  REQUIRE(elsewhere.size() == 1);
  CHECK(elsewhere[0].line == 0);
  CHECK(elsewhere[0].message == assembler_refused);
  CHECK(assembler_diagnostics("g++: fatal error: Killed signal\n").empty());
}
