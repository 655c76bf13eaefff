// The code to which a kernel returns, on the empty stack of its lane.
#include "kernels/emulator/arch/kernel_call.h"

asm(".pushsection .text\n"
    ".globl histolab_lane_returned\n"
    "histolab_lane_returned:\n\t"
    ".cfi_startproc\n\t"
    ".cfi_undefined rip\n\t"  // the kernel has no caller
    "pushq $0\n\t"
    "jmp histolab_lane_ended\n\t"
    ".cfi_endproc\n"
    ".popsection");
