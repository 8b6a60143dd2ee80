// Loaded before the real one: pthread_create that fails at the call whose number, from 0, is in
// FAIL_THREAD, as it does where a limit is reached.
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include <dlfcn.h>
#include <pthread.h>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*body)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  static std::atomic<int> calls{0};
  const char* const failing = std::getenv("FAIL_THREAD");
  if (failing != nullptr && calls++ == std::atoi(failing)) {
    return EAGAIN;
  }
  return real(thread, attributes, body, argument);
}
