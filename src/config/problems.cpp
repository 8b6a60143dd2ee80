#include "config/problems.hpp"

#include "config/input_error.hpp"

#include <fmt/core.h>

#include <utility>

namespace schedbench::config {

void Problems::Add(Problem problem) {
  if (!Full()) {
    list_.push_back(std::move(problem));
  }
}

void Problems::Add(std::string where, std::string path, std::string message) {
  Add(Problem{std::move(where), std::move(path), std::move(message)});
}

void Problems::Add(std::string_view field, std::string message) {
  Add("", std::string(field), std::move(message));
}

void Problems::AddUnused(std::string_view field, std::string message) {
  Add(Problem{"", std::string(field), std::move(message), true});
}

void Problems::ThrowIfAny() const {
  if (list_.empty()) {
    return;
  }
  std::vector<Problem> problems = list_;
  if (Full()) {
    problems.push_back({"", "", fmt::format("no more than {} problems are listed", kMax)});
  }
  throw InputError(std::move(problems));
}

}  // namespace schedbench::config
