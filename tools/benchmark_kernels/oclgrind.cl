// OpenCL C versions of the kernels that tools/benchmark compares with Oclgrind. They do the same as
// the .cu files.
#define BINS 7

kernel void racy(global const char* data, uint length, global uint* histo) {
  const uint i = get_global_id(0);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') histo[(data[i] - 'a') / 4] += 1;
}

kernel void global_atomics(global const char* data, uint length, global uint* histo) {
  const uint i = get_global_id(0);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomic_inc(&histo[(data[i] - 'a') / 4]);
}

kernel void privatized(global const char* data, uint length, global uint* histo) {
  local uint private_histo[BINS];
  const uint thread = get_local_id(0), threads = get_local_size(0);
  for (uint bin = thread; bin < BINS; bin += threads) private_histo[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint i = get_global_id(0);
  if (i < length) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomic_inc(&private_histo[letter / 4]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = thread; bin < BINS; bin += threads) atomic_add(&histo[bin], private_histo[bin]);
}

kernel void coarsened(global const char* data, uint length, global uint* histo) {
  local uint private_histo[BINS];
  const uint thread = get_local_id(0), threads = get_local_size(0);
  for (uint bin = thread; bin < BINS; bin += threads) private_histo[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint begin = get_global_id(0) * 16;
  for (uint i = begin; i < begin + 16 && i < length; ++i) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomic_inc(&private_histo[letter / 4]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = thread; bin < BINS; bin += threads) atomic_add(&histo[bin], private_histo[bin]);
}

kernel void tree(global const char* data, uint length, global uint* histo) {
  local uint counted[256];
  const uint thread = get_local_id(0), i = get_global_id(0);
  counted[thread] = i < length && data[i] >= 'a' && data[i] <= 'z';
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (thread < half_size) counted[thread] += counted[thread + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) atomic_add(&histo[0], counted[0]);
}
