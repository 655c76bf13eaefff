// AccessReports: the accesses that callbacks have reported in a block of machine code.
//
// The instruction that makes a reported access is proved by the report: its address equals that of
// the report, as a symbolic value (block_values.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/emulator/proof/block_values.h"

namespace histolab::kernels::emulator {

// A report whose address has to be compared at run time.
struct ReportToCompare {
  std::uint8_t age = 0;  // 1 if the last callback made the report, and so on; 0 without a report
  bool is_range = false, writes = false;
};

class AccessReports {
 public:
  // A callback reports the access that the next statement makes. A statement has at most one report
  // of a read and one of a write, so an older report of the same kind ends here. `is_range`: the
  // report can have any number of bytes. `call`: offset of the end of the callback's call.
  void add(CodeValue address, std::uint32_t bytes, bool writes, bool is_range, std::uint32_t call);
  // Returns whether a report covers this access, and marks the covered bytes as used. Each byte of
  // a report covers one access. The write of a bit-field first reads the other bits, so until the
  // store the report of a write also covers reads.
  [[nodiscard]] bool use(CodeValue address, std::uint32_t bytes, bool writes);
  // An access that use() does not cover may still be a reported one whose address has another name
  // here. take() returns the report that may be meant and marks its bytes as used. The addresses
  // are compared at run time.
  [[nodiscard]] ReportToCompare take(std::uint32_t bytes, bool writes);
  // Returns the call that reported a write whose store has not been seen yet, or nullopt.
  [[nodiscard]] std::optional<std::uint32_t> store_due() const;
  void forget() { reports_.clear(); }

 private:
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

  std::vector<Report> reports_;
};

}  // namespace histolab::kernels::emulator
