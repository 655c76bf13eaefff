// For clangd before version 17, which shows no comment of a function whose name begins with two underscores: a macro of
// that name, which is replaced by itself, and of which it does show the comment. The texts are those of cuda_shim.h and editor.h
// (tests/editor_test.py compares them).
#pragma once

#define __syncthreads /* Waits until all threads of the block have reached it; what they wrote before to global and shared memory is then visible to all of them. In conditional code only where the condition is the same for the whole block. */ __syncthreads
#define __syncthreads_count /* __syncthreads() that returns, to all threads of the block, how many of them have a predicate that is not 0. */ __syncthreads_count
#define __syncthreads_and /* __syncthreads() that returns non-zero if and only if the predicate is non-zero for all threads of the block. */ __syncthreads_and
#define __syncthreads_or /* __syncthreads() that returns non-zero if and only if the predicate is non-zero for any thread of the block. */ __syncthreads_or
#define __threadfence /* Orders this thread's own accesses to memory: no thread of the device sees a write from behind it without the writes before it. Waits for no other thread. */ __threadfence
#define __threadfence_block /* __threadfence() as far as the threads of this block see it. */ __threadfence_block
#define __threadfence_system /* __threadfence() as all threads see it: of this device, of the host, of other devices. */ __threadfence_system
#define __syncwarp /* Waits until all lanes of the mask have reached a __syncwarp with the same mask; orders their accesses to memory. */ __syncwarp
#define __activemask /* The lanes of the warp that are at this call now, as bits; which these are is not promised, so take no mask from it to synchronize by. */ __activemask
#define __ballot_sync /* Bit i of the result is set when lane i of the mask has a predicate that is not 0. */ __ballot_sync
#define __any_sync /* Non-zero if and only if the predicate is non-zero for any lane of the mask. */ __any_sync
#define __all_sync /* Non-zero if and only if the predicate is non-zero for all lanes of the mask. */ __all_sync
#define __popcll /* The number of bits that are set. */ __popcll
#define __popc /* The number of bits that are set. */ __popc
#define __ffs /* The position of the least significant bit that is set, counted from 1; 0 when none is. */ __ffs
#define __ffsll /* The position of the least significant bit that is set, counted from 1; 0 when none is. */ __ffsll
#define __clz /* The number of zero bits before the most significant bit that is set; 32 when none is. */ __clz
#define __clzll /* The number of zero bits before the most significant bit that is set; 64 when none is. */ __clzll
#define __brev /* The bits in reverse order. */ __brev
#define __byte_perm /* Four of the eight bytes of a (0 to 3) and b (4 to 7): byte i of the result is the one that bits 4i to 4i + 2 of s name. */ __byte_perm
#define __mul24 /* The low 32 bits of the product of the low 24 bits of a and b, signed. */ __mul24
#define __umul24 /* The low 32 bits of the product of the low 24 bits of a and b. */ __umul24
#define __umulhi /* The high 32 bits of the product of 64 bits. */ __umulhi
#define __mulhi /* The high 32 bits of the product of 64 bits. */ __mulhi
#define __funnelshift_l /* The high 32 bits of hi:lo shifted left by s & 31. */ __funnelshift_l
#define __funnelshift_r /* The low 32 bits of hi:lo shifted right by s & 31. */ __funnelshift_r
#define __funnelshift_lc /* The high 32 bits of hi:lo shifted left by min(s, 32). */ __funnelshift_lc
#define __funnelshift_rc /* The low 32 bits of hi:lo shifted right by min(s, 32). */ __funnelshift_rc
#define __brevll /* The bits in reverse order. */ __brevll
#define __fns /* The position of the offset-th set bit of the mask from bit base on, downwards when offset is negative; 0xffffffff when there is none. */ __fns
#define __mul64hi /* The high 64 bits of the product of 128 bits. */ __mul64hi
#define __umul64hi /* The high 64 bits of the product of 128 bits. */ __umul64hi
#define __sad /* |x - y| + z. */ __sad
#define __usad /* |x - y| + z. */ __usad
#define __hadd /* The average, rounded down; the sum does not overflow. */ __hadd
#define __rhadd /* The average, rounded up; the sum does not overflow. */ __rhadd
#define __uhadd /* The average, rounded down; the sum does not overflow. */ __uhadd
#define __urhadd /* The average, rounded up; the sum does not overflow. */ __urhadd
#define __ldg /* Loads through the read-only data cache: nothing may write there while the kernel runs. */ __ldg
#define __ldca /* Loads, cached at all levels. */ __ldca
#define __ldcg /* Loads, cached in L2 only. */ __ldcg
#define __ldcs /* Loads what is likely to be used once: evicted from the caches first. */ __ldcs
#define __ldlu /* Loads what is not used again. */ __ldlu
#define __stwb /* Stores, written back from all levels of the caches. */ __stwb
#define __stcg /* Stores, cached in L2 only. */ __stcg
#define __stcs /* Stores what is likely to be used once: evicted from the caches first. */ __stcs
#define __stwt /* Stores through the caches to memory. */ __stwt
#define __ldcv /* Loads from memory again, whatever a cache has: a volatile read. */ __ldcv
#define __isGlobal /* 1 when the address is in global memory, else 0. */ __isGlobal
#define __isShared /* 1 when the address is in shared memory, else 0. */ __isShared
#define __isLocal /* 1 when the address is in local memory, else 0. */ __isLocal
#define __trap /* Ends the kernel with an error. */ __trap
#define __nanosleep /* Suspends the thread for about so many nanoseconds. */ __nanosleep
#define __shfl_sync /* The value of the given lane, among neighbours of `width` lanes (2, 4, 8, 16 or 32); the lane is taken modulo width. */ __shfl_sync
#define __shfl_up_sync /* The value of the lane that is `delta` lower; this lane's own value where there is none in its `width` lanes. */ __shfl_up_sync
#define __shfl_down_sync /* The value of the lane that is `delta` higher; this lane's own value where there is none in its `width` lanes. */ __shfl_down_sync
#define __shfl_xor_sync /* The value of the lane whose number is this lane's ^ lane_mask. */ __shfl_xor_sync
#define __match_any_sync /* The lanes of the mask that have the same value as this lane, as bits. */ __match_any_sync
#define __match_all_sync /* The mask, with *all_match = 1, when all of its lanes have the same value; else 0, with *all_match = 0. */ __match_all_sync
#define __reduce_add_sync /* The sum of the values of all lanes of the mask. */ __reduce_add_sync
#define __reduce_min_sync /* The smallest of the values of all lanes of the mask. */ __reduce_min_sync
#define __reduce_max_sync /* The largest of the values of all lanes of the mask. */ __reduce_max_sync
#define __reduce_and_sync /* The bitwise AND of the values of all lanes of the mask. */ __reduce_and_sync
#define __reduce_or_sync /* The bitwise OR of the values of all lanes of the mask. */ __reduce_or_sync
#define __reduce_xor_sync /* The bitwise XOR of the values of all lanes of the mask. */ __reduce_xor_sync
#define __float_as_int /* The same bits, read as type int. */ __float_as_int
#define __float_as_uint /* The same bits, read as type unsigned int. */ __float_as_uint
#define __int_as_float /* The same bits, read as type float. */ __int_as_float
#define __uint_as_float /* The same bits, read as type float. */ __uint_as_float
#define __double_as_longlong /* The same bits, read as type long long. */ __double_as_longlong
#define __longlong_as_double /* The same bits, read as type double. */ __longlong_as_double
#define __dp4a /* c + the dot product of the four bytes of a and b. */ __dp4a
#define __dp2a_lo /* c + the dot product of the two halfwords of a and the two lower bytes of b. */ __dp2a_lo
#define __dp2a_hi /* c + the dot product of the two halfwords of a and the two upper bytes of b. */ __dp2a_hi
