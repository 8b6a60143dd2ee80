#pragma once

#include "config/schema.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::config {

// The fields of a schema for people and editors. Pure; thread-safe; each text ends in a newline, or
// is empty for a schema without fields (except the JSON Schema).

// Returns an aligned table: field (dotted path), default, range, doc; a group has a line with its
// doc. `width`: longer texts continue below their start. `head`: of the first column.
std::string DescribeAsText(const Schema& schema, std::size_t width = 1'000'000,
                           std::string_view head = "field");

// Returns the table as Markdown.
std::string DescribeAsMarkdown(const Schema& schema);

// Returns a JSON Schema (draft 2020-12) that takes the objects of ApplyJson(). `scheduler` is the
// only value of the key "scheduler"; if it is empty, the schema lacks the key. The language makes
// one difference: 3.0 is an integer for JSON Schema, but not for ApplyJson().
std::string DescribeAsJsonSchema(const Schema& schema, std::string_view scheduler);

}  // namespace schedbench::config
