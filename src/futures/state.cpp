#include "futures/state.hpp"

#include <exception>
#include <string>

namespace schedbench::futures {

void FailUnseen(const std::exception_ptr& error) noexcept {
  std::string what = "of a type without a message";
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    what = known.what();
  } catch (...) {
    // `what` is already set.
  }
  FailRun("a future was dropped, and with it an exception: " + what);
}

}  // namespace schedbench::futures
