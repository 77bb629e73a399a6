// Tells the thread sanitizer of Swift's Mutex. What of it is inlined the sanitizer sees; where two
// threads meet at it, the standard library, which is built without the sanitizer, hands it over by
// a futex of the kernel (Mutex/LinuxImpl.swift in Swift's sources). Preloaded (LD_PRELOAD), so that
// no access that a Mutex guards is reported, and every other one is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define NAME(name) "$s15Synchronization12_MutexHandleV" name

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(NAME("9_lockSlowyys6UInt32VF"));
SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*real)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, NAME("9_lockSlowyys6UInt32VF"));
  real(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF) __asm__(NAME("11_unlockSlowyyF"));
SWIFT void unlock_slow(SELF) {
  SWIFT void (*real)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, NAME("11_unlockSlowyyF"));
  if (__tsan_release) __tsan_release(mutex);
  real(mutex);
}

SWIFT bool try_lock_slow(SELF) __asm__(NAME("12_tryLockSlowSbyF"));
SWIFT bool try_lock_slow(SELF) {
  SWIFT bool (*real)(SELF) = (SWIFT bool (*)(SELF))dlsym(RTLD_NEXT, NAME("12_tryLockSlowSbyF"));
  bool locked = real(mutex);
  if (locked && __tsan_acquire) __tsan_acquire(mutex);
  return locked;
}
