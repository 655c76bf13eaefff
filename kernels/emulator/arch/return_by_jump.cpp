// The jump by which functions with RETURNS_BY_JUMP return. The compiler decides its name.
#include "kernels/emulator/arch/return_by_jump.h"

asm(".pushsection .text\n"
    ".globl __x86_return_thunk\n"
    "__x86_return_thunk:\n\t"
    "popq %rcx\n\t"
    "jmpq *%rcx\n"
    ".popsection");
