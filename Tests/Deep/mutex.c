// The slow path of Swift's Mutex, for ThreadSanitizer.
//
// On Linux a contended Mutex waits in libswiftSynchronization, with a futex
// (swiftlang/swift, stdlib/public/Synchronization/Mutex/LinuxImpl.swift). That
// library is not instrumented, so that every contended lock would be reported as
// a race. This library is preloaded and waits instead: it acquires the lock in
// the same word and notifies the sanitizer. No thread sleeps in the kernel, so
// that unlocking never takes its slow path.
#include <sched.h>
#include <stdint.h>

void __tsan_acquire(void *address) __attribute__((weak));

#define WORD __attribute__((swift_context)) uint32_t *word

__attribute__((swiftcall)) void lock_slow(uint32_t thread, WORD)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void lock_slow(uint32_t thread, WORD) {
  uint32_t expected = 0;
  while (!__atomic_compare_exchange_n(
      word, &expected, thread, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    expected = 0;
    sched_yield();
  }
  if (__tsan_acquire) __tsan_acquire(word);
}
