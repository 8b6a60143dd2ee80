#pragma once

#include "config/json_document.hpp"
#include "config/problems.hpp"

namespace schedbench::config {

// Fills the tree of a JsonDocument from its text; internal to JsonDocument::Parse.
class JsonTreeBuilder {
 public:
  JsonTreeBuilder(JsonDocument& document, Problems& problems)
      : document_(document),
        problems_(problems) {
  }

  // Returns false iff the text is not JSON, and says why in the problems.
  bool Build();

 private:
  class SaxHandler;

  JsonDocument& document_;
  Problems& problems_;
};

}  // namespace schedbench::config
