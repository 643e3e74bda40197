// What both hosts give to a shader: storage buffers 0 to 3 of set 0. Even ones hold floats from 0.25 to 10.25, odd ones small numbers.
#include <stdint.h>
#include <string.h>

enum { WORDS = 1024, BUFFERS = 4, GROUPS = 16 };

static void fill(uint32_t *words, uint32_t number) {
  for (uint32_t at = 0; at < WORDS; at++) {
    uint32_t chance = at * 2654435761u;
    float real = (float)((chance + number * 40503u) % 1000u) / 100.0f + 0.25f;
    words[at] = (chance >> 7) % 97u;
    if (number % 2 == 0) memcpy(&words[at], &real, sizeof real);
  }
}
