#pragma once

// The only macros besides SB_ASSERT: words of the compiler that have no standard spelling.

// For the few functions around a stack switch: a call in between would run the epilogue of one stack with
// the registers, or the sanitizer's shadow stack, of another.
#define SB_ALWAYS_INLINE inline __attribute__((always_inline))

#define SB_NOINLINE __attribute__((noinline))

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
