// Runs the kernel saxpy, which became an object file: what a driver does for it.
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 1024 };

// What the kernel leaves to whoever links it: a buffer for each argument, and which invocation it is.
float saxpy_arg_0_descriptor_set0_binding0[COUNT];
float saxpy_arg_1_descriptor_set0_binding1[COUNT];
uint32_t __builtin__GlobalInvocationId__[4] __attribute__((aligned(16)));
extern void saxpy(void);

int main(void) {
  float *a = saxpy_arg_0_descriptor_set0_binding0, *c = saxpy_arg_1_descriptor_set0_binding1;
  for (int i = 0; i < COUNT; i++) a[i] = i, c[i] = 1;
  uint32_t *id = __builtin__GlobalInvocationId__;
  for (id[0] = 0; id[0] < COUNT; id[0]++) saxpy();
  printf("%g %g %g %g ... %g\n", c[0], c[1], c[2], c[3], c[COUNT - 1]);
  return 0;
}
