// Runs the shader blur.comp, which became an object file: what a driver does for it. A thread is an invocation of each workgroup in turn.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { LOCAL = 64, GROUPS = 2, PIXELS = LOCAL * GROUPS, RADIUS = 2 };

// What the shader leaves to whoever links it: buffers by their set and binding, push constants, and built-in variables of each thread.
float source_descriptor_set0_binding0[PIXELS][4] __attribute__((aligned(16)));
float target_descriptor_set0_binding1[PIXELS][4] __attribute__((aligned(16)));
struct { uint32_t width, radius; float scale; } settings __attribute__((aligned(16)));
__thread uint32_t gl_GlobalInvocationID[4] __attribute__((aligned(16)));
__thread uint32_t gl_LocalInvocationID[4] __attribute__((aligned(16)));
extern void blur(void);

static pthread_barrier_t barrier;
void _Z22__spirv_ControlBarrieriii(int execution, int memory, int semantics) {
  (void)execution, (void)memory, (void)semantics;
  pthread_barrier_wait(&barrier);
}

static void *invocations(void *given) {
  uint32_t local = (uint32_t)(uintptr_t)given;
  for (uint32_t group = 0; group < GROUPS; group++) {
    gl_LocalInvocationID[0] = local;
    gl_GlobalInvocationID[0] = group * LOCAL + local;
    blur();
    // The next workgroup has the same shared memory.
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  for (int x = 0; x < PIXELS; x++)
    for (int channel = 0; channel < 4; channel++) source_descriptor_set0_binding0[x][channel] = (x * 7 + channel) % 32;
  settings.width = PIXELS, settings.radius = RADIUS, settings.scale = 0.25f;
  pthread_barrier_init(&barrier, 0, LOCAL);
  pthread_t threads[LOCAL];
  for (uintptr_t local = 0; local < LOCAL; local++)
    if (pthread_create(&threads[local], 0, invocations, (void *)local)) return 2;
  for (int local = 0; local < LOCAL; local++) pthread_join(threads[local], 0);
  int wrong = 0;
  for (int x = 0; x < PIXELS; x++) {
    // As the shader has it: the pixels around this one, without it. What is beyond a workgroup's own is not looked at.
    if (x % LOCAL < RADIUS || x % LOCAL >= LOCAL - RADIUS) continue;
    for (int channel = 0; channel < 4; channel++) {
      float sum = 0;
      for (int offset = -RADIUS; offset <= RADIUS; offset++)
        if (offset) sum += source_descriptor_set0_binding0[x + offset][channel];
      wrong += target_descriptor_set0_binding1[x][channel] != sum * settings.scale;
    }
  }
  for (int x = 10; x < 14; x++) {
    float *pixel = target_descriptor_set0_binding1[x];
    printf("pixel %d: %g %g %g %g\n", x, pixel[0], pixel[1], pixel[2], pixel[3]);
  }
  printf("%d numbers are wrong\n", wrong);
  return wrong != 0;
}
