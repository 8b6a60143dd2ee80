#pragma once

#include "config/schema.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::config {

// The fields of a schema for people and editors. Pure; thread-safe; each text ends in a newline, or
// is empty for a schema without fields (but for the JSON Schema).

// Returns an aligned table: field (dotted path), default, range, doc; a group has a line with its
// doc.
// `width`: longer texts continue in the next line, below their beginning. `head`: of the first column.
std::string DescribeAsText(const Schema& schema, std::size_t width = 1'000'000,
                           std::string_view head = "field");

// Returns the same as a Markdown table.
std::string DescribeAsMarkdown(const Schema& schema);

// Returns a JSON Schema (draft 2020-12) that takes the objects that ApplyJson() takes. `scheduler`
// is the only value of the key "scheduler", which is absent from the schema when it is empty. One
// difference is in the language itself: to JSON Schema 3.0 is an integer, to ApplyJson() it is not.
std::string DescribeAsJsonSchema(const Schema& schema, std::string_view scheduler);

}  // namespace schedbench::config
