__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ volatile unsigned int junk[8];
  if (threadIdx.x == 0) {
    for (int k = 0; k < 8; ++k) junk[k] = k;
    unsigned int c0=0,c1=0,c2=0,c3=0,c4=0,c5=0,c6=0;
    const unsigned int begin = blockIdx.x * blockDim.x;
    for (unsigned int i = begin; i < begin + blockDim.x && i < length; ++i) {
      const unsigned int b = (unsigned char)data[i] - 97u;
      if (b < 26) { const unsigned k = b / 4; c0+=k==0;c1+=k==1;c2+=k==2;c3+=k==3;c4+=k==4;c5+=k==5;c6+=k==6; }
    }
    unsigned c[7]={c0,c1,c2,c3,c4,c5,c6};
#pragma unroll
    for (unsigned int bin = 0; bin < 7; ++bin) if (c[bin]) atomicAdd(&histo[bin], c[bin]);
  }
}
