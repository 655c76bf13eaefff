"""A kernel that writes the worker's answer itself (no findings, all launches completed) and then
ends the process."""
ANSWER = ('{"machine_error":"","modules":[],"observations":[{"ending":0,"detail":"",'
          '"counters":[%s],"lines":[],"pressure":[],"findings":[],"printed":"","elapsed_s":0.0,'
          '"unread":null,"kept":[],"timing":null,"accesses":{"names":[],"rows":[]},'
          '"steps":{"names":[],"rows":[]}}]}') % ",".join("0" * 129)


def kernel(traps):
    answer = ANSWER.replace('"', '\\"')
    return """__device__ __attribute__((noipa)) unsigned long writes() { return 0xc3050f00000001b8; }   // mov eax, 1; syscall; ret
__device__ __attribute__((noipa)) unsigned long ends() { return 0xc3050f000000e7b8; }     // mov eax, 231; syscall; ret
__device__ const char answer[] = "%s";
using Code = long (*)(long, const char*, long);
__device__ __attribute__((noipa)) void call(Code code, long a, const char* b, long c) { code(a, b, c); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (unsigned int k = 0; k < length; ++k)
    if (data[k] >= 'a' && data[k] <= 'z') histo[(data[k] - 'a') / 4] += 1;
  call(reinterpret_cast<Code>(reinterpret_cast<unsigned long>(&writes) + 2), 1, answer, sizeof answer - 1);
  call(reinterpret_cast<Code>(reinterpret_cast<unsigned long>(&ends) + 2), 0, nullptr, 0);
}
""" % answer
