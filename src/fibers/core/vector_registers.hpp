#pragma once

// SB_VECTOR_REGISTERS: the clobber list of an asm statement that keeps nothing in floating-point,
// vector and mask registers. It names the registers of the translation unit's instruction set.

#if defined(__x86_64__)
#if defined(__AVX512F__)
#define SB_WIDE_REGISTERS                                                                       \
  "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",     \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", \
      "k6", "k7",
#else
#define SB_WIDE_REGISTERS
#endif
#define SB_VECTOR_REGISTERS                                                                 \
  SB_WIDE_REGISTERS "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", \
      "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", \
      "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
#elif defined(__aarch64__)
#if defined(__ARM_FEATURE_SVE)
#define SB_WIDE_REGISTERS                                                                        \
  "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", \
      "p15",
#else
#define SB_WIDE_REGISTERS
#endif
#define SB_VECTOR_REGISTERS                                                                      \
  SB_WIDE_REGISTERS "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",    \
      "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", \
      "v25", "v26", "v27", "v28", "v29", "v30", "v31"
#endif
