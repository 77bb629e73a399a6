// What Swift's standard library expects of a C library, as far as the core uses it. The compiler is
// told (Package.swift) that it must not make calls to these functions of the loops in them.

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t count) {
  __builtin_memcpy(to, from, count);
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  __builtin_memmove(to, from, count);
  return to;
}

void *memset(void *to, int byte, size_t count) {
  __builtin_memset(to, byte, count);
  return to;
}

int memcmp(const void *one, const void *other, size_t count) {
  const unsigned char *left = one, *right = other;
  for (size_t i = 0; i < count; i++) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

// Seeds the hash tables. The module asks nothing of its host, and an account hashes nobody's data
// but its own person's: the same seed each time does.
void arc4random_buf(void *to, size_t count) { __builtin_memset(to, 0x67, count); }

// A trap's text; there is nowhere to write it.
int putchar(int character) { return character; }

// The product of two numbers of 128 bits, which the compiler asks for where one of 64 bits may
// overflow (compiler-rt's name and its order of the halves).
typedef struct { uint64_t low, high; } wide;

void __multi3(wide *product, uint64_t low, uint64_t high, uint64_t other, uint64_t other_high) {
  const uint64_t half = 0xffffffff;
  uint64_t lowest = (low & half) * (other & half);
  uint64_t middle = (low >> 32) * (other & half) + (lowest >> 32);
  uint64_t cross = (low & half) * (other >> 32) + (middle & half);
  product->low = cross << 32 | (lowest & half);
  product->high =
      (low >> 32) * (other >> 32) + (middle >> 32) + (cross >> 32) + low * other_high + high * other;
}

// Swift compares strings by Unicode's canonical equivalence, with tables of 60 kB. The core compares
// texts code point by code point (ExactText), and every other string that it compares is of ASCII
// or was made by one server. So here no character is equivalent to others, and the tables are not
// linked; code that needs another of them does not link either.
uint16_t _swift_stdlib_getNormData(uint32_t) { return 0; }
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t) { return 0; }
uint32_t _swift_stdlib_getComposition(uint32_t, uint32_t) { return ~0u; }
const uint8_t _swift_stdlib_nfd_decompositions[1] = {0};
