#include "platform/signals/code_module.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

std::array<char, 4096> program_path;  // written once, before any handler runs

}  // namespace

void LearnProgramPath() noexcept {
  const ssize_t length = ::readlink("/proc/self/exe", program_path.data(), program_path.size() - 1);
  program_path[static_cast<std::size_t>(std::max<ssize_t>(length, 0))] = '\0';
}

const char* ProgramPath() noexcept {
  return program_path.data();
}

CodeModule ModuleOf(std::uintptr_t address) noexcept {
  CodeModule module;
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
  dl_find_object object{};
  if (::_dl_find_object(reinterpret_cast<void*>(address), &object) == 0) {
    module.path = object.dlfo_link_map->l_name;
    module.base = object.dlfo_link_map->l_addr;
  }
#else
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(address), &info) != 0) {
    module.path = info.dli_fname;
    module.base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  }
#endif
  if (module.path != nullptr && (module.path[0] == '\0' || module.path == program_path.data())) {
    module.path = program_path.data();
    module.is_program = true;
  }
  return module;
}

}  // namespace schedbench::platform
