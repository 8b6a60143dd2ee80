#include "trace/worker_log.hpp"

#include "trace/labels.hpp"

#include <new>
#include <string>

namespace schedbench::trace {

Label WorkerLog::LabelOfName(std::string_view name) noexcept {
  try {
    return labels_.Of(std::string(name));
  } catch (const std::bad_alloc&) {
    return kNoLabel;
  }
}

Label WorkerLog::AskForPlace(const char* file, std::uint32_t line) noexcept {
  try {
    const std::string_view path = file;
    return labels_.Of(std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(line));
  } catch (const std::bad_alloc&) {
    return kNoLabel;
  }
}

}  // namespace schedbench::trace
