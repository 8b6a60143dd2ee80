#include "config/problems.hpp"

#include "config/input_error.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::config {

void Problems::Add(Problem problem) {
  if (!Full() && std::ranges::find(list_, problem) == list_.end()) {
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
  throw InputError(list_, Full());
}

}  // namespace schedbench::config
