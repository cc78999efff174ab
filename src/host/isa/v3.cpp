// The block kernels for x86-64-v3.
#define TW_ISA isa_v3
#define TW_VECTOR_BYTES 32
#include "host/isa/run_blocks.inc"
