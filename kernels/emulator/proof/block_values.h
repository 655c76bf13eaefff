// BlockValues: the contents of registers and stack slots in a straight piece of machine code, as
// values that can be compared.
//
// A value is a name and a constant that is added to it. Equal values are equal numbers whenever the
// code runs; different values may be equal numbers too. Names stand for unknown numbers (a register
// at the block's begin, a loaded word) and for sums of names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace histolab::kernels::emulator {

struct CodeValue {
  std::uint32_t name = 0;  // 0: the number 0
  std::int64_t plus = 0;
  friend bool operator==(const CodeValue&, const CodeValue&) = default;
};

class BlockValues {
 public:
  static constexpr std::uint32_t entry_stack = 1;     // the stack pointer when the function began
  static constexpr std::uint32_t thread_pointer = 2;
  static constexpr int stack_pointer = 4;             // its number, as machine code has it: 0 to 15

  // Nothing is known but the stack pointer.
  void begin(std::int64_t depth);
  void forget_registers();              // those that a call does not keep
  void forget_all_registers();          // but the stack pointer
  void forget_slots() { slots_.clear(); }

  [[nodiscard]] CodeValue get(int number) const { return registers_[static_cast<std::size_t>(number) & 15]; }
  void set(int number, CodeValue value) { registers_[static_cast<std::size_t>(number) & 15] = value; }
  [[nodiscard]] CodeValue unknown() { return {next_++, 0}; }
  // a + b * scale; the value that a relocation adds, or its effect on a value: the same for the
  // same arguments.
  [[nodiscard]] CodeValue sum(CodeValue a, CodeValue b, std::uint32_t scale);
  [[nodiscard]] CodeValue with_symbol(CodeValue a, std::uint32_t symbol, std::uint32_t type);
  [[nodiscard]] CodeValue extended(CodeValue a, bool is_signed);  // its low 32 bits, as 64

  // A word on the stack, at an offset from the stack pointer at the function's entry.
  [[nodiscard]] CodeValue load(std::int64_t offset, std::uint32_t bytes);
  void store(std::int64_t offset, std::uint32_t bytes, CodeValue value);
  void store_unknown(std::int64_t offset, std::uint32_t bytes);

  // A callback reports the access that the next statement makes. A statement has at most one report
  // of a read and one of a write: an older one ends here. `is_range`: of any number of bytes.
  // `call`: end of the callback's call.
  void report(CodeValue address, std::uint32_t bytes, bool writes, bool is_range,
              std::uint32_t call);
  // Does a report cover this access? Each byte of a report covers one access. The write of a
  // bit-field reads the other bits first: until it writes, the report of the write covers reads.
  [[nodiscard]] bool use_report(CodeValue address, std::uint32_t bytes, bool writes);
  // An access that use_report() does not cover may still be a reported one whose address is known
  // by another name. Takes the report that it would be; the running kernel compares the addresses.
  struct ReportToCompare {
    std::uint8_t age = 0;  // 1: the last callback made it; 0: there is none
    bool is_range = false, writes = false;
  };
  [[nodiscard]] ReportToCompare take_report(std::uint32_t bytes, bool writes);
  // Returns the call that reported a write whose store has not been seen yet.
  [[nodiscard]] std::optional<std::uint32_t> store_due() const;
  void forget_reports() { reports_.clear(); }

 private:
  // The meaning of a name: a sum, or something that is known by these words and nothing else.
  struct Term { std::uint32_t name; std::int64_t times; friend bool operator==(const Term&, const Term&) = default; };
  struct Named {
    std::array<std::int64_t, 4> key{};  // of something else than a sum
    std::vector<Term> terms;            // of a sum: each name once, in order
    std::uint32_t name = 0;
  };
  struct Slot { std::int64_t offset; std::uint32_t bytes; CodeValue value; };
  struct Report {
    CodeValue address;
    bool writes = false, is_range = false, is_over = false;
    std::uint8_t age = 1;
    std::uint32_t call = 0;
    std::vector<bool> used;  // of each byte
    [[nodiscard]] bool is_in_use() const;
    // Returns whether these bytes, counted from the report's begin, are still free.
    [[nodiscard]] bool covers(std::int64_t begin, std::uint32_t bytes) const;
    void use(std::int64_t begin, std::uint32_t bytes);
  };
  std::uint32_t name_of(std::array<std::int64_t, 4> key, std::vector<Term> terms);
  void add(std::vector<Term>& terms, std::uint32_t name, std::int64_t times) const;

  std::array<CodeValue, 16> registers_{};
  std::vector<Named> named_;
  std::vector<Slot> slots_;
  std::vector<Report> reports_;
  std::uint32_t next_ = 3;
};

}  // namespace histolab::kernels::emulator
