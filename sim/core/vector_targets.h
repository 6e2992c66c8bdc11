#pragma once

// Which instruction sets Highway compiles the kernels for; included before Highway everywhere. SSSE3 would be
// a fourth x86 path for processors older than 2008, AVX3_DL gives the same code as AVX3, and vectors of
// unknown size (SVE) cannot be kept in arrays. What is left out falls back to the next one below.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
