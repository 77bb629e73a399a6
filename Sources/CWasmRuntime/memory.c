// Memory for the core in a browser, where there is no C library.
//
// The memory is a row of chunks, each with a header of 8 bytes. A chunk that is freed becomes one
// with its free neighbours, so that the memory of an engine that runs for days does not fall to
// pieces. Free chunks are in lists, one for each power of two of their sizes.

#include <stddef.h>
#include <stdint.h>

enum { granule = 16, page = 65536, lists = 32, looks = 32 };

typedef struct chunk {
  uint32_t size;      // with the header, a multiple of the granule; the lowest bit: it is in use
  uint32_t previous;  // the size of the chunk before it, 0 for the first
  struct chunk *next, **from;  // of a free chunk: its place in its list
} chunk;

enum { header = offsetof(chunk, next) };

extern unsigned char __heap_base;
static chunk *free_chunks[lists];
static uint32_t filled;  // a bit for each list that is not empty
static chunk *end;       // the chunk without room at the end of the memory

static uint32_t size_of(const chunk *it) { return it->size & ~1u; }
static chunk *after(const chunk *it) { return (chunk *)((char *)it + size_of(it)); }
static int list_of(uint32_t size) { return 31 - __builtin_clz(size); }

static void put(chunk *it, uint32_t size) {
  int list = list_of(size);
  it->size = size;
  after(it)->previous = size;
  it->next = free_chunks[list];
  it->from = &free_chunks[list];
  if (it->next) it->next->from = &it->next;
  free_chunks[list] = it;
  filled |= 1u << list;
}

static void take(chunk *it) {
  *it->from = it->next;
  if (it->next) it->next->from = it->from;
  int list = list_of(it->size);
  if (!free_chunks[list]) filled &= ~(1u << list);
}

static void release(chunk *it) {
  uint32_t size = size_of(it);
  chunk *next = after(it);
  if (!(next->size & 1)) {
    take(next);
    size += next->size;
  }
  if (it->previous) {
    chunk *before = (chunk *)((char *)it - it->previous);
    if (!(before->size & 1)) {
      take(before);
      size += before->size;
      it = before;
    }
  }
  put(it, size);
}

static int grow(uint32_t size) {
  if (!end) {
    // The memory begins behind the program's data; a header is followed by an address of 16.
    uintptr_t base = (uintptr_t)&__heap_base;
    end = (chunk *)(((base + header + granule - 1) & -(uintptr_t)granule) - header);
    uintptr_t room = (uintptr_t)__builtin_wasm_memory_size(0) * page;
    if ((uintptr_t)end + header > room && __builtin_wasm_memory_grow(0, 1) == SIZE_MAX) {
      end = NULL;
      return 0;
    }
    end->previous = 0;
  }
  // At least a sixteenth more than there is, so that it is not asked for page after page.
  size_t present = __builtin_wasm_memory_size(0);
  size_t pages = (size + 2 * granule + page - 1) / page;
  if (pages < present / 16) pages = present / 16;
  if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return 0;
  chunk *it = end;
  uintptr_t stop = (uintptr_t)(present + pages) * page;
  uint32_t more = (uint32_t)(stop - header - (uintptr_t)it) & -(uint32_t)granule;
  end = (chunk *)((char *)it + more);
  end->size = 1;
  end->previous = more;
  it->size = more | 1;
  release(it);
  return 1;
}

static chunk *find(uint32_t size) {
  int list = list_of(size), left = looks;
  for (chunk *it = free_chunks[list]; it && left--; it = it->next) {
    if (it->size >= size) return it;
  }
  // Every chunk of the lists above is large enough.
  uint32_t above = list < 31 ? filled & ~0u << (list + 1) : 0;
  return above ? free_chunks[__builtin_ctz(above)] : NULL;
}

void *malloc(size_t wanted) {
  if (wanted > 0x7fff0000u) return NULL;
  uint32_t size = ((uint32_t)wanted + header + granule - 1) & -(uint32_t)granule;
  if (size < sizeof(chunk)) size = sizeof(chunk);
  chunk *it = find(size);
  if (!it) {
    if (!grow(size)) return NULL;
    it = find(size);
  }
  take(it);
  uint32_t rest = it->size - size;
  if (rest >= sizeof(chunk)) {
    it->size = size;
    chunk *other = after(it);
    other->previous = size;
    put(other, rest);
  }
  it->size |= 1;
  return (char *)it + header;
}

void free(void *memory) {
  if (memory) release((chunk *)((char *)memory - header));
}

// Nothing here is aligned more strictly than malloc does it.
int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = alignment <= granule ? malloc(size) : NULL;
  return *memory ? 0 : 12;
}
