#pragma once

// Compiler attributes without a standard spelling. SB_ASSERT is the only other macro.

// For the few functions around a stack switch: a call in between would run the epilogue of one
// stack with the registers, or the sanitizer's shadow stack, of another.
#define SB_ALWAYS_INLINE inline __attribute__((always_inline))

#define SB_NOINLINE __attribute__((noinline))

// For functions that only access a variable of their thread. No other thread can race for it, but
// with executors::TasksAreUnordered() ThreadSanitizer takes a thread's tasks for threads.
#define SB_NO_TSAN __attribute__((no_sanitize("thread")))

#if defined(__SANITIZE_ADDRESS__)
#define SB_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SB_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define SB_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SB_TSAN 1
#endif
#endif
