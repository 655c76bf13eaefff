// expect: compile_error - - 3
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int a = blockidx.x; unsigned int b = blockdim.x; unsigned int c = threadidx.x; unsigned int d = griddim.x;
  a = blocIdx.x; b = blocDim.x; c = thredIdx.x; d = gridim.x; a = block_idx.x; b = block_dim.x; c = thread_idx.x;
  a = BlockIdx.x; b = BlockDim.x; c = ThreadIdx.x; d = GridDim.x; a = blockId.x; b = blockSize.x; c = threadId.x;
  a = BLOCKIDX.x; b = BLOCKDIM.x; c = THREADIDX.x; d = GRIDDIM.x; a = blkIdx.x; b = blkDim.x; c = thrIdx.x;
  histo[a + b + c + d] += data[0] + length;
}
