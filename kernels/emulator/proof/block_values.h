// BlockValues: registers and stack slots in a block of machine code, as comparable symbolic values.
//
// A value is a name plus a constant. A name represents an unknown number (a register at the block's
// begin, a loaded word) or a sum of names. Equal values are always equal numbers. Different values
// may be equal numbers, too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace histolab::kernels::emulator {

struct CodeValue {
  std::uint32_t name = 0;  // name 0 is the number 0
  std::int64_t plus = 0;
  friend bool operator==(const CodeValue&, const CodeValue&) = default;
};

class BlockValues {
 public:
  static constexpr std::uint32_t entry_stack = 1;  // the stack pointer at the function's entry
  static constexpr std::uint32_t thread_pointer = 2;
  // Registers have their numbers from machine code, 0 to 15.
  static constexpr int stack_pointer = 4;

  // Begins a block, `depth` bytes below the stack pointer at entry. All other values are unknown.
  void begin(std::int64_t depth);
  void forget_registers();      // those that a call may change
  void forget_all_registers();  // except the stack pointer
  void forget_slots() { slots_.clear(); }

  [[nodiscard]] CodeValue get(int number) const {
    return registers_[static_cast<std::size_t>(number) & 15];
  }
  void set(int number, CodeValue value) {
    registers_[static_cast<std::size_t>(number) & 15] = value;
  }
  // Returns a value with a new name.
  [[nodiscard]] CodeValue unknown() { return {next_++, 0}; }
  // These return equal values for equal arguments.
  // Returns a + b * scale, or an unknown value if the sum has too many terms.
  [[nodiscard]] CodeValue sum(CodeValue a, CodeValue b, std::uint32_t scale);
  // Returns `a` plus the value of a relocation of this type with the symbol.
  [[nodiscard]] CodeValue with_symbol(CodeValue a, std::uint32_t symbol, std::uint32_t type);
  // Returns the low 32 bits of `a`, extended to 64 bits.
  [[nodiscard]] CodeValue extended(CodeValue a, bool is_signed);

  // Words on the stack. Offsets count from the stack pointer at the function's entry, in bytes.
  [[nodiscard]] CodeValue load(std::int64_t offset, std::uint32_t bytes);
  void store(std::int64_t offset, std::uint32_t bytes, CodeValue value);
  void store_unknown(std::int64_t offset, std::uint32_t bytes);

  // A callback reports the access that the next statement makes. A statement has at most one report
  // of a read and one of a write, so an older report of the same kind ends here. `is_range`: the
  // report can have any number of bytes. `call`: offset of the end of the callback's call.
  void report(CodeValue address, std::uint32_t bytes, bool writes, bool is_range,
              std::uint32_t call);
  // Returns whether a report covers this access, and marks the covered bytes as used. Each byte of
  // a report covers one access. The write of a bit-field first reads the other bits, so until the
  // store the report of a write also covers reads.
  [[nodiscard]] bool use_report(CodeValue address, std::uint32_t bytes, bool writes);
  // An access that use_report() does not cover may still be a reported one whose address has
  // another name here. take_report() returns the report that may be meant and marks its bytes as
  // used. The addresses are compared at run time.
  struct ReportToCompare {
    std::uint8_t age = 0;  // 1 if the last callback made the report, and so on; 0 without a report
    bool is_range = false, writes = false;
  };
  [[nodiscard]] ReportToCompare take_report(std::uint32_t bytes, bool writes);
  // Returns the call that reported a write whose store has not been seen yet, or nullopt.
  [[nodiscard]] std::optional<std::uint32_t> store_due() const;
  void forget_reports() { reports_.clear(); }

 private:
  // The meaning of a name: a sum, or something that only its key identifies.
  struct Term {
    std::uint32_t name;
    std::int64_t times;
    friend bool operator==(const Term&, const Term&) = default;
  };
  struct Named {
    std::array<std::int64_t, 4> key{};  // all 0 for a sum
    std::vector<Term> terms;            // for a sum: each name once, in ascending order
    std::uint32_t name = 0;
  };
  struct Slot {
    std::int64_t offset;
    std::uint32_t bytes;
    CodeValue value;
  };
  struct Report {
    CodeValue address;
    bool writes = false, is_range = false, is_over = false;
    std::uint8_t age = 1;
    std::uint32_t call = 0;
    std::vector<bool> used;  // per byte: an access has used it
    [[nodiscard]] bool is_in_use() const;
    // Returns whether these bytes, counted from the report's begin, are still unused.
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
