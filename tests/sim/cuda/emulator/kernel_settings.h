#pragma once

// What device code is compiled with for the emulator, and what its style makes GCC say.
// NOLINTBEGIN

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wignored-qualifiers"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// As sim/cuda/compiler/kernel_source.cpp sets them: float4 layout, single precision. The law says how many
// constants it has (CONSTANT_COUNT), in front of this file.
#define PRECISION 32
#define DIMENSIONS 3
#define CHARGES 0
#define GUARD 1
#define BATCHED 0
#define UNROLL 1
#define LAYOUT_AOS 0
#define LAYOUT_AOS_MASS 1
#define LAYOUT_SPLIT 2
#define LAYOUT_FLOAT4 3
#define LAYOUT_SOA 4
#define LAYOUT LAYOUT_FLOAT4
#define PASSING_VALUE 0
#define PASSING_POINTER 2
#define PASSING PASSING_VALUE
#define CONSTANT_MEMORY 0
#define CONSTANT_MEMORY_CONSTANT_MEMORY_ALL 2
#define READ_ONLY 0
#define ARITHMETIC_SQRT 0
#define ARITHMETIC_RSQRT_OF_CUBE 1
#define ARITHMETIC_RSQRT_CUBED 2
#define ARITHMETIC_FRSQRT_RN 3
#define ARITHMETIC ARITHMETIC_RSQRT_CUBED
// NOLINTEND
