// A small kernel as a tree. The fuzzer generates it, prints it as CUDA, and executes it with its
// own model.
//
// All values are unsigned 32-bit integers. A statement makes at most one access to memory (bump: a
// read and a write; pass: a write and a read), so that the order of accesses is the order of
// statements.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace histolab::fuzzer {

struct Expr {
  enum class Op {
    number,
    variable,
    thread,
    block,
    block_size,
    grid_size,
    length,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,
    less,
    less_equal,
    equal
  };
  Op op = Op::number;
  std::uint32_t value = 0;    // of a number; of a variable, which one
  std::vector<Expr> of = {};  // two of an operation
};

inline Expr number(std::uint32_t value) { return {Expr::Op::number, value}; }
inline Expr variable(int number) {
  return {Expr::Op::variable, static_cast<std::uint32_t>(number)};
}
inline Expr built_in(Expr::Op op) { return {op}; }
inline Expr join(Expr a, Expr::Op op, Expr b) { return {op, 0, {std::move(a), std::move(b)}}; }

struct Stmt {
  enum class What {
    let,         // variable = value
    load,        // variable = array[index], or several variables: the words of a vector
    store,       // array[index] = value
    atomic_add,  // atomicAdd(&array[index], value)
    bump,        // array[index] += value, not atomic
    branch,      // if (value) body else otherwise
    loop,        // for (variable = start; value; variable += step) body
    barrier,
    grid_barrier,  // only in the kernel's body
    go_on,         // continue
    leave,         // break
    end,           // return
    pass,  // stores a variable and reads it back, as a structure of `bytes` bytes at array[index]
    // Placeholder for an update: adds `value` to bin `index`. Only in the body of an element, never
    // in a kernel.
    count,
  };
  // The form of an access in the source. The compiler may not report all accesses of the machine
  // code.
  enum class Form {
    plain,
    by_value,   // a structure that is the argument or the result of a function
    returned,   // likewise, by a function that takes a pointer
    aggregate,  // a structure that is assigned
    member,     // a volatile member
    bit_field,
    copied,  // memcpy
    placed,  // placement new
  };
  What what = What::let;
  Form form = Form::plain;
  int variable = 0;
  int array = 0;
  std::uint32_t bytes = 0;    // size of a load that is wider than an element
  std::uint32_t skipped = 0;  // elements before it; they may misalign a wide load
  // For a load: print it as an operand of the statement that uses its variable, if there is only
  // one.
  bool in_place = false;
  Expr index = {}, value = {}, start = {}, step = {};
  std::vector<Stmt> body = {}, otherwise = {};
};
using Body = std::vector<Stmt>;

struct Array {
  std::string name;
  bool shared = false;
  std::uint32_t element_bytes = 4;
  std::uint32_t elements = 0;
};

inline constexpr int data_array = 0,
                     histo_array = 1;  // in every kernel; the other arrays are in shared memory

struct Program {
  std::string description;  // the chosen parts
  std::vector<Array> arrays;
  int variables = 0;
  Body body;
  // The computation for each element, for the sequential reference. `element_variable` holds the
  // element.
  Body element;
  int element_variable = 0;
  std::uint32_t grid = 1, block = 32, length = 0;
  bool restricts = false;  // the pointer to the data has __restrict__
  std::uint32_t rows = 1;  // the block has block / rows x rows threads
  int launches = 1;
  std::vector<std::uint8_t> data;
};

// Returns how often the expression, or a statement's index and value, reads a variable.
[[nodiscard]] int reads_of(const Expr& e, int variable);
[[nodiscard]] bool reads(const Body& body, int variable);

[[nodiscard]] std::string source_of(const Program& program);

}  // namespace histolab::fuzzer
