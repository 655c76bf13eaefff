#include "kernels/emulator/arch/guards.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "kernels/emulator/arch/symbols.h"
#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {
namespace {

// Marks in histolab_code_places, one per offset in the text. 0: not a valid target. 0x8000: a
// function begins there. Otherwise a valid return address, with n + 1 for a frame of n times 16
// bytes.
constexpr std::uint16_t function_begins = 0x8000;
constexpr std::uint32_t most_units = 0x7ffe;
std::uint32_t marked_bytes = 0;  // end of the part of the text that has marks

}  // namespace

extern "C" {
constinit std::uint16_t histolab_code_places[Window::text_bytes + 1] = {};
constinit const std::uint8_t* histolab_code_begin = nullptr;
}

static void mark(std::uint32_t offset, std::uint16_t place) {
  histolab_code_places[offset] = place;
  marked_bytes = std::max(marked_bytes, offset + 1);
}
void forget_code_places(const std::uint8_t* text) {
  std::fill_n(histolab_code_places, marked_bytes, std::uint16_t{0});
  marked_bytes = 0;
  histolab_code_begin = text;
}
void mark_function(std::uint32_t offset) { mark(offset, function_begins); }
void mark_return(std::uint32_t offset, std::uint32_t depth) {
  mark(offset, static_cast<std::uint16_t>(std::min((depth + 15) / 16, most_units) + 1));
}

// Registers free at a return: rcx, rsi, rdi, r8 to r11; at a call: r10 and r11. The flags are free
// at both. A lane's outermost return address is in the runtime. It is valid only at the top of the
// lane's stack (lanes.h, Window::stack_top).
static_assert(Window::text_bytes == 65536 && Window::stack_bytes == 0x80000 &&
              Window::stack_colors == 64 && Window::color_bytes == 448 &&
              Window::above_stack_top == 512);
asm(".pushsection .text\n"
    ".globl histolab_checked_return\n"
    "histolab_checked_return:\n\t"
    "popq %rcx\n\t"
    "movq %rcx, %r10\n\t"
    "subq histolab_code_begin(%rip), %r10\n\t"
    "cmpq $65535, %r10\n\t"
    "ja 1f\n\t"
    "leaq histolab_code_places(%rip), %r11\n\t"
    "movzwl (%r11,%r10,2), %r10d\n\t"
    "leal -1(%r10), %r9d\n\t"
    "cmpl $0x7fff, %r9d\n\t"
    "jae 2f\n\t"
    "shlq $4, %r9\n\t"
    "addq %rsp, %r9\n\t"
    "leaq -8(%rsp), %r8\n\t"  // the word popped: the stack pointer may be at the stack's end now
    "orq $0x7ffff, %r8\n\t"
    "cmpq %r8, %r9\n\t"
    "ja 2f\n\t"
    "jmpq *%rcx\n"
    "1:\n\t"
    "leaq histolab_lane_returned(%rip), %r10\n\t"
    "cmpq %r10, %rcx\n\t"
    "jne 2f\n\t"
    "leaq -8(%rsp), %r8\n\t"
    "movq %r8, %r9\n\t"
    "shrq $13, %r9\n\t"
    "andl $0xfc0, %r9d\n\t"  // lines: 64 times the color
    "imulq $7, %r9, %r9\n\t"
    "orq $0x7ffff, %r8\n\t"
    "subq %r9, %r8\n\t"
    "subq $511, %r8\n\t"
    "cmpq %rsp, %r8\n\t"
    "jne 2f\n\t"
    "jmpq *%rcx\n"
    "2:\n\t"
    "andq $-16, %rsp\n\t"
    "call histolab_end_by_return\n"
    ".popsection");

#define CALL_THROUGH(name)             \
  ".globl histolab_call_through_" name \
  "\n"                                 \
  "histolab_call_through_" name        \
  ":\n\t"                              \
  "movq %" name                        \
  ", %r11\n\t"                         \
  "jmp histolab_call_checked\n"
asm(".pushsection .text\n"
    CALL_THROUGH("rax") CALL_THROUGH("rbx") CALL_THROUGH("rcx") CALL_THROUGH("rdx")
    CALL_THROUGH("rsi") CALL_THROUGH("rdi") CALL_THROUGH("rbp")
    CALL_THROUGH("r8") CALL_THROUGH("r9") CALL_THROUGH("r10") CALL_THROUGH("r11")
    "histolab_call_checked:\n\t"
    "movq %r11, %r10\n\t"
    "subq histolab_code_begin(%rip), %r10\n\t"
    "cmpq $65535, %r10\n\t"
    "ja 1f\n\t"
    "addq %r10, %r10\n\t"
    "addq histolab_code_places_at(%rip), %r10\n\t"
    "cmpw $0x8000, (%r10)\n\t"
    "jne 1f\n\t"
    "jmpq *%r11\n"
    "1:\n\t"
    "movq (%rsp), %rdi\n\t"
    "andq $-16, %rsp\n\t"
    "call histolab_end_by_call\n"
    ".popsection");

extern "C" constinit std::uint16_t* const histolab_code_places_at;
extern "C" constinit std::uint16_t* const histolab_code_places_at = histolab_code_places;

// Saves all registers that the kernel may be using: a check may precede any instruction.
asm(".pushsection .text\n"
    ".globl histolab_unproved_access\n"
    "histolab_unproved_access:\n\t"
    "pushq %rbp\n\t"
    "movq %rsp, %rbp\n\t"
    "pushq %rdx\n\tpushq %rsi\n\tpushq %rdi\n\tpushq %r8\n\t"
    "pushq %r9\n\tpushq %r10\n\tpushq %r11\n\t"
    "subq $264, %rsp\n\t"
    "andq $-16, %rsp\n\t"
    "movups %xmm0, (%rsp)\n\tmovups %xmm1, 16(%rsp)\n\tmovups %xmm2, 32(%rsp)\n\t"
    "movups %xmm3, 48(%rsp)\n\tmovups %xmm4, 64(%rsp)\n\tmovups %xmm5, 80(%rsp)\n\t"
    "movups %xmm6, 96(%rsp)\n\tmovups %xmm7, 112(%rsp)\n\tmovups %xmm8, 128(%rsp)\n\t"
    "movups %xmm9, 144(%rsp)\n\tmovups %xmm10, 160(%rsp)\n\tmovups %xmm11, 176(%rsp)\n\t"
    "movups %xmm12, 192(%rsp)\n\tmovups %xmm13, 208(%rsp)\n\tmovups %xmm14, 224(%rsp)\n\t"
    "movups %xmm15, 240(%rsp)\n\t"
    "movq %rax, %rdi\n\t"
    "movq %rcx, %rsi\n\t"
    "call histolab_record_unproved\n\t"
    "movups (%rsp), %xmm0\n\tmovups 16(%rsp), %xmm1\n\tmovups 32(%rsp), %xmm2\n\t"
    "movups 48(%rsp), %xmm3\n\tmovups 64(%rsp), %xmm4\n\tmovups 80(%rsp), %xmm5\n\t"
    "movups 96(%rsp), %xmm6\n\tmovups 112(%rsp), %xmm7\n\tmovups 128(%rsp), %xmm8\n\t"
    "movups 144(%rsp), %xmm9\n\tmovups 160(%rsp), %xmm10\n\tmovups 176(%rsp), %xmm11\n\t"
    "movups 192(%rsp), %xmm12\n\tmovups 208(%rsp), %xmm13\n\tmovups 224(%rsp), %xmm14\n\t"
    "movups 240(%rsp), %xmm15\n\t"
    "leaq -56(%rbp), %rsp\n\t"
    "popq %r11\n\tpopq %r10\n\tpopq %r9\n\tpopq %r8\n\t"
    "popq %rdi\n\tpopq %rsi\n\tpopq %rdx\n\tpopq %rbp\n\t"
    "ret\n"
    ".popsection");

#define NAMES(f) f(rax) f(rbx) f(rcx) f(rdx) f(rsi) f(rdi) f(rbp) f(r8) f(r9) f(r10) f(r11)
#define DECLARE(name) extern "C" void histolab_call_through_##name();
NAMES(DECLARE)

const void* checked_call_through(std::string_view symbol) {
  if (!symbol.starts_with(call_through_prefix)) return nullptr;
  const std::string_view name = symbol.substr(call_through_prefix.size());
#define FIND(reg) \
  if (name == #reg) return reinterpret_cast<const void*>(&histolab_call_through_##reg);
  NAMES(FIND)
  return nullptr;
}

}  // namespace histolab::kernels::emulator
