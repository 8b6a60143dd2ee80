#pragma once

namespace schedbench::platform {

// Ends this process with SIGKILL as soon as the thread that started it has ended. One that has ended before the call is not noticed.
void EndWithParent() noexcept;

}  // namespace schedbench::platform
