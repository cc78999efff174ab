// The block kernels for x86-64-v2.
#define TW_ISA isa_v2
#define TW_VECTOR_BYTES 16
#include "host/isa/run_blocks.inc"
