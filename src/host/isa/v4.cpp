// The block kernels for x86-64-v4.
#define TW_ISA isa_v4
#define TW_VECTOR_BYTES 64
#include "host/isa/run_blocks.inc"
