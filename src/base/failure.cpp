#include "base/failure.hpp"

#include "base/atomic.hpp"

#include <cstdio>
#include <cstdlib>

namespace schedbench {

namespace {

void PrintAndAbort(std::string_view message, FailureKind /*kind*/) {
  std::fprintf(stderr, "error: %.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

Atomic<FailureHandler> failure_handler{&PrintAndAbort};

}  // namespace

void FailRun(std::string_view message, FailureKind kind) noexcept {
  // acquire: pairs with the release in SetFailureHandler; the handler's data are complete.
  failure_handler.Load(memory_order_acquire)(message, kind);
  std::abort();
}

void SetFailureHandler(FailureHandler handler) noexcept {
  // release: pairs with the acquire in FailRun.
  failure_handler.Store(handler, memory_order_release);
}

}  // namespace schedbench
