#include "platform/process/command_words.hpp"

#include <wordexp.h>

#include <new>
#include <stdexcept>

namespace schedbench::platform {

std::vector<std::string> CommandWords(const std::string& command) {
  wordexp_t expanded{};
  const int error = ::wordexp(command.c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF);
  if (error == WRDE_NOSPACE) {
    ::wordfree(&expanded);
    throw std::bad_alloc();
  }
  switch (error) {
    case 0:
      break;
    case WRDE_BADVAL:
      throw std::invalid_argument("the command has a variable that is not set");
    case WRDE_SYNTAX:
      throw std::invalid_argument("the command cannot be parsed; is a quote not closed?");
    default:
      throw std::invalid_argument("the command needs a shell    sh -c '...'");
  }
  std::vector<std::string> words(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
  ::wordfree(&expanded);
  return words;
}

}  // namespace schedbench::platform
