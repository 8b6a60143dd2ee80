#pragma once

#include "record/record.hpp"

#include <string>
#include <utility>
#include <vector>

// The JSON Schema (draft 2020-12) of a record, and the table of its keys. Documents hold both, and
// tests compare them.

namespace schedbench::record {

// Returns the schema as text. Each record inside stands once in $defs, and is referred to. All keys
// are listed: an object has no others.
std::string SchemaText(const Record& record, const std::string& title,
                       const std::string& description);

// Returns a table of the keys in Markdown: key, type, required, meaning.
std::string KeyTable(const Record& record);

// Returns a section for each kind with the tables of its record and of the records inside it. Those
// inside several kinds have a section of their own at the end.
std::string KeysPage(const std::vector<std::pair<std::string, const Record*>>& kinds);

}  // namespace schedbench::record
