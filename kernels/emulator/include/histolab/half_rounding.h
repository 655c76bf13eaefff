// How the conversions of <cuda_fp16.h> round (kernels/emulator/runtime/half_bits.h).
#pragma once

enum HistolabHalfRounding {
  HISTOLAB_HALF_RN,
  HISTOLAB_HALF_RZ,
  HISTOLAB_HALF_RU,
  HISTOLAB_HALF_RD
};
