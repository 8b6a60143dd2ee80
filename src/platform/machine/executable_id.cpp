#include "platform/machine/executable_id.hpp"

#include <cstddef>
#include <cstring>
#include <string_view>

#include <link.h>

namespace schedbench::platform {

namespace {

constexpr std::size_t PaddedToWord(std::size_t size) {
  return (size + 3) / 4 * 4;
}

std::string HexDigits(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value / 16];
    text += kDigits[value % 16];
  }
  return text;
}

// Returns the build id among the notes, or "".
std::string BuildIdIn(const char* notes, std::size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head{};
    std::memcpy(&head, notes, sizeof head);
    const std::size_t name = sizeof head;
    const std::size_t value = name + PaddedToWord(head.n_namesz);
    const std::size_t end = value + PaddedToWord(head.n_descsz);
    if (end > size) {
      break;
    }
    if (head.n_type == NT_GNU_BUILD_ID &&
        std::string_view(notes + name, head.n_namesz) == std::string_view("GNU", 4)) {
      return HexDigits({notes + value, head.n_descsz});
    }
    notes += end;
    size -= end;
  }
  return "";
}

// Reads the first object, which is the executable.
int LookAtFirst(dl_phdr_info* info, std::size_t /*size*/, void* id) {
  for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader reports addresses as numbers.
      const auto* const notes = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
      auto& found = *static_cast<std::string*>(id);
      found = BuildIdIn(notes, segment.p_memsz);
      if (!found.empty()) {
        break;
      }
    }
  }
  return 1;
}

}  // namespace

std::string ExecutableId() {
  std::string id;
  ::dl_iterate_phdr(&LookAtFirst, &id);
  return id;
}

}  // namespace schedbench::platform
