// The memory of the module. See memory.c.
#include <stddef.h>

void *malloc(size_t wanted);
void free(void *memory);
