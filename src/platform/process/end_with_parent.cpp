#include "platform/process/end_with_parent.hpp"

#include <csignal>

#include <sys/prctl.h>

namespace schedbench::platform {

void EndWithParent() noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace schedbench::platform
