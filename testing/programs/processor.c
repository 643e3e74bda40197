// Runs a compute shader that became an object file: PROGRAM X Y Z OUT, with the size of its workgroups. It fills four buffers as vulkan.c
// does, runs 16 workgroups and writes the buffers. Each invocation has a stack of its own, so that those of a workgroup can wait for each
// other: they take turns from barrier to barrier.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include "buffers.h"

typedef struct { uint32_t x, y, z, unused; } __attribute__((aligned(16))) vector;

uint32_t a_descriptor_set0_binding0[WORDS] __attribute__((aligned(64)));
uint32_t b_descriptor_set0_binding1[WORDS] __attribute__((aligned(64)));
uint32_t c_descriptor_set0_binding2[WORDS] __attribute__((aligned(64)));
uint32_t d_descriptor_set0_binding3[WORDS] __attribute__((aligned(64)));
vector gl_GlobalInvocationID, gl_LocalInvocationID, gl_WorkGroupID, gl_NumWorkGroups;
uint32_t gl_LocalInvocationIndex;
extern void shader_main(void);

enum { MOST = 64, STACK = 1 << 18 };
static ucontext_t scheduler, invocation[MOST];
static char stacks[MOST][STACK];
static int ended[MOST];
static unsigned current;

static void invoke(void) {
  shader_main();
  ended[current] = 1;
  swapcontext(&invocation[current], &scheduler);
}

void _Z22__spirv_ControlBarrieriii(int execution, int memory, int semantics) {
  (void)execution, (void)memory, (void)semantics;
  swapcontext(&invocation[current], &scheduler);
}

static void run_group(unsigned group, const unsigned *local) {
  unsigned size = local[0] * local[1] * local[2], waiting = size;
  for (unsigned i = 0; i < size; i++) {
    getcontext(&invocation[i]);
    invocation[i].uc_stack.ss_sp = stacks[i];
    invocation[i].uc_stack.ss_size = STACK;
    ended[i] = 0;
    makecontext(&invocation[i], invoke, 0);
  }
  while (waiting) {
    waiting = 0;
    for (current = 0; current < size; current++) {
      if (ended[current]) continue;
      vector id = {current % local[0], current / local[0] % local[1], current / (local[0] * local[1]), 0};
      gl_LocalInvocationID = id;
      gl_GlobalInvocationID = (vector){group * local[0] + id.x, id.y, id.z, 0};
      gl_WorkGroupID = (vector){group, 0, 0, 0};
      gl_NumWorkGroups = (vector){GROUPS, 1, 1, 0};
      gl_LocalInvocationIndex = current;
      swapcontext(&scheduler, &invocation[current]);
      waiting += !ended[current];
    }
  }
}

int main(int count, char **given) {
  if (count != 5) return 2;
  unsigned local[3];
  for (int i = 0; i < 3; i++) local[i] = strtoul(given[1 + i], 0, 10);
  if (local[0] * local[1] * local[2] > MOST) return 2;
  uint32_t *buffers[] = {a_descriptor_set0_binding0, b_descriptor_set0_binding1, c_descriptor_set0_binding2, d_descriptor_set0_binding3};
  for (int i = 0; i < BUFFERS; i++) fill(buffers[i], i);
  for (unsigned group = 0; group < GROUPS; group++) run_group(group, local);
  FILE *out = fopen(given[4], "wb");
  for (int i = 0; out && i < BUFFERS; i++) fwrite(buffers[i], 4, WORDS, out);
  return out ? fclose(out) : 2;
}
