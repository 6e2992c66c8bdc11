#pragma once

// The instruction sets that Highway compiles the kernels for. Included before Highway everywhere.
//
// Every CPU of a kind has one of these, and EMU128, arithmetic without vectors, which gives the same
// bits on all of them (instructions=scalar). Highway's others are left out: SSE2 and SSSE3 serve CPUs
// older than 2008, variants of AVX-512 and of NEON differ in instructions that no kernel uses, and vectors of
// unknown size (SVE, RVV) cannot be kept in arrays. A set that is added needs its estimate in
// sim/cpu/simd/inverse_cube-inl.h.
#define ORRERY_NEON (HWY_NEON_WITHOUT_AES != 0 ? HWY_NEON_WITHOUT_AES : HWY_NEON)
#define HWY_DISABLED_TARGETS (~(HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | ORRERY_NEON | HWY_EMU128 | HWY_SCALAR))
#define HWY_COMPILE_ALL_ATTAINABLE

#include <hwy/detect_targets.h>

// Highway 1.0.3 has one kind of NEON.
#ifndef HWY_NEON_WITHOUT_AES
#define HWY_NEON_WITHOUT_AES 0
#endif
