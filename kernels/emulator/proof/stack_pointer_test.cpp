// The depth of the stack at each instruction of handmade code.
#include "kernels/emulator/proof/stack_pointer.h"

#include <doctest/doctest.h>

#include "kernels/emulator/testing/object_builder.h"

namespace histolab::kernels::emulator {
namespace {

using Operation = Instruction::Operation;

constexpr int rax = 0, rbx = 3, r15 = 15;
constexpr const char* leaves_frame = "a stack pointer that leaves its frame";
constexpr const char* is_computed = "a stack pointer that is computed";

Operand whole_register(int number) {
  Operand operand;
  operand.type = Operand::Type::reg;
  operand.reg = number;
  operand.bytes = 8;
  return operand;
}
Operand number(std::int64_t value) {
  Operand operand;
  operand.type = Operand::Type::immediate;
  operand.immediate = value;
  operand.bytes = 8;
  return operand;
}
Operand address(int base, std::int32_t displacement) {
  Operand operand;
  operand.type = Operand::Type::address;
  operand.memory.base = base;
  operand.memory.displacement = displacement;
  return operand;
}

// A function whose instructions are given one by one.
class Function {
 public:
  Function() { stack.begin_block({}); }

  bool run(Operation operation, const Operand& to, const Operand& from) {
    state.now = {};
    state.now.operation = operation;
    state.now.width = 8;
    state.now.operand_count = 2;
    state.now.all_operands[0] = to;
    state.now.all_operands[1] = from;
    if (operation == Operation::pop) return stack.pop();
    if (operation == Operation::leave) return stack.leave();
    return stack.write();
  }
  bool subtract(std::int64_t bytes) {
    return run(Operation::subtract, whole_register(stack_register), number(bytes));
  }
  bool add(std::int64_t bytes) {
    return run(Operation::add, whole_register(stack_register), number(bytes));
  }
  bool align(std::int64_t mask) {
    return run(Operation::bit_and, whole_register(stack_register), number(mask));
  }
  bool pop(int to) { return run(Operation::pop, whole_register(to), {}); }
  bool copy(int from) {
    return run(Operation::copy, whole_register(stack_register), whole_register(from));
  }
  bool address_of(int base, std::int32_t displacement) {
    return run(Operation::address, whole_register(stack_register), address(base, displacement));
  }
  bool leave() { return run(Operation::leave, {}, {}); }
  // push rbp; mov rbp, rsp
  void set_frame_pointer() {
    stack.push(state.values.get(frame_register));
    state.values.set(frame_register, state.values.get(stack_register));
    stack.note_frame_pointer(state.values.get(stack_register));
  }
  [[nodiscard]] std::size_t checks() const { return state.proof.checks.size(); }
  [[nodiscard]] const std::string& problem() const { return state.proof.problem; }

 private:
  static ObjectFile object_of_code() {
    testing::ObjectBuilder builder;
    builder.code(".text.k", {0x90});
    return builder.build();
  }
  const ObjectFile object_ = object_of_code();

 public:
  ProofState state{object_, 1};
  StackPointer stack{state};
};

}  // namespace

TEST_CASE("constants move the stack pointer, within the function's own frame") {
  Function f;
  CHECK(f.subtract(40));
  CHECK(f.stack.depth() == 40);
  CHECK(f.add(32));
  CHECK(f.stack.depth() == 8);
  CHECK(f.address_of(stack_register, -16));
  CHECK(f.stack.depth() == 24);
  CHECK(f.stack.deepest() == 40);
  CHECK(f.checks() == 0);
  CHECK_FALSE(f.add(32));
  CHECK(f.problem() == leaves_frame);
  CHECK_FALSE(Function().subtract(4));  // not a multiple of a word
}

TEST_CASE("a popped word has the value that was pushed") {
  Function f;
  const CodeValue value = f.state.values.get(rbx);
  REQUIRE(f.stack.push(value));
  CHECK(f.stack.depth() == 8);
  REQUIRE(f.pop(rax));
  CHECK(f.stack.depth() == 0);
  CHECK(f.state.values.get(rax) == value);
  Function into_reserved;
  REQUIRE(into_reserved.subtract(8));
  CHECK_FALSE(into_reserved.pop(r15));
  CHECK(into_reserved.problem() == writes_reserved);
  Function into_stack;
  REQUIRE(into_stack.subtract(8));
  CHECK_FALSE(into_stack.pop(stack_register));
}

TEST_CASE("the own frame and the arguments are held, but the return address is not writable") {
  Function f;
  REQUIRE(f.subtract(16));
  const auto holds = [&](std::int64_t offset, std::uint32_t bytes, bool writes) {
    return f.stack.holds({BlockValues::entry_stack, offset}, bytes, writes);
  };
  for (const bool writes : {false, true}) {
    CHECK(holds(-16, 8, writes));
    CHECK(holds(-8, 8, writes));
    CHECK_FALSE(holds(-17, 8, writes));
    CHECK(holds(8, 8, writes));
    CHECK(holds(512, 8, writes));
    CHECK_FALSE(holds(513, 8, writes));
    CHECK_FALSE(holds(INT64_MAX, 8, writes));
    CHECK_FALSE(f.stack.holds(f.state.values.get(rbx), 8, writes));
  }
  CHECK(holds(0, 8, false));
  CHECK_FALSE(holds(0, 8, true));
  CHECK_FALSE(holds(-4, 8, true));
  CHECK_FALSE(holds(7, 1, true));
}

TEST_CASE("a large frame gets a check, unless it grows by pushes") {
  Function small, large;
  CHECK(small.subtract(most_unasked_frame));
  CHECK(small.checks() == 0);
  CHECK(small.stack.push(small.state.values.get(rax)));
  CHECK(small.checks() == 0);
  CHECK(large.subtract(most_unasked_frame + 8));
  REQUIRE(large.checks() == 1);
  CHECK(large.state.proof.checks[0].what == NeededCheck::What::frame);
  CHECK(large.state.proof.checks[0].place.displacement == -(most_unasked_frame + 8));
}

TEST_CASE("an aligned frame is as deep as it may be, and only a register leads out of it") {
  Function f;
  REQUIRE(f.subtract(8));
  REQUIRE(f.align(-32));
  CHECK(f.stack.depth() == 40);
  CHECK(f.stack.frame().aligned_depth == 40);
  CHECK(f.subtract(64));
  CHECK(f.add(64));
  CHECK_FALSE(f.add(8));
  CHECK(f.problem() == leaves_frame);
  Function twice;
  REQUIRE(twice.align(-32));
  CHECK_FALSE(twice.align(-64));
  CHECK(twice.problem() == "a stack that is aligned twice");
  CHECK_FALSE(Function().align(-512));
  CHECK_FALSE(Function().align(32));
}

TEST_CASE("in an aligned frame no word of the stack is known") {
  Function f;
  const CodeValue value = f.state.values.get(rbx);
  REQUIRE(f.align(-32));
  REQUIRE(f.stack.push(value));
  CHECK(f.stack.load({-f.stack.depth(), 8}) != value);
}

TEST_CASE("a known frame pointer restores the stack pointer without a check") {
  Function f;
  f.set_frame_pointer();
  REQUIRE(f.subtract(64));
  CHECK(f.leave());
  CHECK(f.stack.depth() == 0);
  CHECK(f.checks() == 0);
}

TEST_CASE("an unknown one restores it with a check, to the depth that it had when it was set") {
  Function f;
  f.set_frame_pointer();
  REQUIRE(f.subtract(64));
  f.state.values.forget_all_registers();
  CHECK(f.address_of(frame_register, -8));
  CHECK(f.stack.depth() == 16);
  REQUIRE(f.checks() == 1);
  CHECK(f.state.proof.checks[0].what == NeededCheck::What::stack_pointer);
  CHECK(f.stack.frame().aligned_depth == StackPointer::not_aligned);
  CHECK_FALSE(Function().address_of(frame_register, 0));  // it was never set
}

TEST_CASE("the register that keeps the entry's stack pointer leads out of an aligned frame") {
  Function f;
  REQUIRE(f.align(-128));
  CHECK(f.address_of(entry_stack_register, -8));
  CHECK(f.stack.depth() == 0);
  CHECK(f.checks() == 1);
}

TEST_CASE("any other value is a computed stack pointer") {
  for (const auto& refused :
       {+[](Function& f) { return f.copy(rbx); }, +[](Function& f) { return f.address_of(rbx, 8); },
        +[](Function& f) { return f.subtract(-8); },
        +[](Function& f) {
          return f.run(Operation::other, whole_register(stack_register), number(8));
        },
        +[](Function& f) {
          return f.run(Operation::subtract, whole_register(stack_register), whole_register(rbx));
        }}) {
    Function f;
    CHECK_FALSE(refused(f));
    CHECK(f.problem() == is_computed);
  }
  Function half;
  Operand low = whole_register(stack_register);
  low.bytes = 4;
  CHECK_FALSE(half.run(Operation::subtract, low, number(8)));
  CHECK(half.problem() == is_computed);
}

}  // namespace histolab::kernels::emulator
