// The capture of kernel calls on x86-64.
//
// The host function of a kernel begins with nops, because the front end compiles it with
// patchable_function_entry. They become a jump to histolab_kernel_called, which stores the
// registers and a part of the stack, and returns to the caller. So the compiler itself has put the
// arguments where the kernel expects them.
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstring>

#include "kernels/program/runtime/processor.h"

namespace histolab::kernels::program {
namespace {

thread_local CapturedCall captured;

// mov r11, kernel; mov r10, target; jmp r10
struct __attribute__((packed)) Entry {
  std::uint8_t load_kernel[2] = {0x49, 0xbb};
  std::uint64_t kernel = 0;
  std::uint8_t load_target[2] = {0x49, 0xba};
  std::uint64_t target = 0;
  std::uint8_t jump[3] = {0x41, 0xff, 0xe2};
};
static_assert(sizeof(Entry) == 23);  // the front end reserves at least as many bytes

// With -fcf-protection a function begins with endbr64, before the nops.
constexpr std::uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

struct SavedRegisters {
  std::uint64_t integers[6];
  std::uint8_t vectors[8][16];
};

}  // namespace

extern "C" {
extern std::uint8_t* __start___patchable_function_entries[] __attribute__((weak));
extern std::uint8_t* __stop___patchable_function_entries[] __attribute__((weak));
void histolab_kernel_called();

__attribute__((used)) void histolab_store_call(const SavedRegisters* registers,
                                               const std::uint8_t* stack, std::uint64_t kernel) {
  captured.kernel = kernel;
  emulator::RawArguments& arguments = captured.arguments;
  std::memcpy(arguments.integers.data(), registers->integers, sizeof registers->integers);
  std::memcpy(arguments.vectors.data(), registers->vectors, sizeof registers->vectors);
  std::memcpy(arguments.stack.data(), stack, arguments.stack.size());
  arguments.stack_bytes = static_cast<std::uint32_t>(arguments.stack.size());
  arguments.has_vectors = 1;
}
}

// rdi: saved registers, rsi: first argument on the stack, rdx: kernel.
asm(R"(
.text
.globl histolab_kernel_called
.hidden histolab_kernel_called
.type histolab_kernel_called, @function
histolab_kernel_called:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $176, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movups %xmm0, 48(%rsp)
  movups %xmm1, 64(%rsp)
  movups %xmm2, 80(%rsp)
  movups %xmm3, 96(%rsp)
  movups %xmm4, 112(%rsp)
  movups %xmm5, 128(%rsp)
  movups %xmm6, 144(%rsp)
  movups %xmm7, 160(%rsp)
  movq %rsp, %rdi
  leaq 16(%rbp), %rsi
  movq %r11, %rdx
  call histolab_store_call
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size histolab_kernel_called, .-histolab_kernel_called
)");

CapturedCall take_captured_call() {
  const CapturedCall taken = captured;
  captured.kernel = 0;
  return taken;
}

bool capture_calls_of_kernels() {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (std::uint8_t** each = __start___patchable_function_entries;
       each != nullptr && each < __stop___patchable_function_entries; ++each) {
    std::uint8_t* nops = *each;
    const bool has_endbr = std::memcmp(nops - sizeof endbr64, endbr64, sizeof endbr64) == 0;
    Entry entry;
    entry.kernel = reinterpret_cast<std::uint64_t>(nops) - (has_endbr ? sizeof endbr64 : 0);
    entry.target = reinterpret_cast<std::uint64_t>(&histolab_kernel_called);
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(nops) / page * page;
    const std::uint64_t end = reinterpret_cast<std::uint64_t>(nops) + sizeof entry;
    void* const pages = reinterpret_cast<void*>(begin);
    if (mprotect(pages, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    std::memcpy(nops, &entry, sizeof entry);
    if (mprotect(pages, end - begin, PROT_READ | PROT_EXEC) != 0) return false;
  }
  return true;
}

bool captures_calls_of(const void* function) {
  Entry entry;
  const auto* code = static_cast<const std::uint8_t*>(function);
  if (std::memcmp(code, endbr64, sizeof endbr64) == 0) code += sizeof endbr64;
  std::memcpy(&entry, code, sizeof entry);
  return entry.kernel == reinterpret_cast<std::uint64_t>(function) &&
         entry.target == reinterpret_cast<std::uint64_t>(&histolab_kernel_called);
}

FaultContext fault_context(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {static_cast<std::uint64_t>(registers[REG_RIP]), (registers[REG_ERR] & 2) != 0};
}

}  // namespace histolab::kernels::program
