#pragma once

#include "report/parts/flat_table.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

// Something that the tool has several of.
struct List {
  struct Column {
    std::string_view key;   // in JSON: "doc"
    std::string_view head;  // in the table: "what it is"
  };

  std::string_view name;  // "schedulers"
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

// The result of `schedbench list`.
struct ListResult {
  std::vector<List> lists;
};

// For people: a table for each list, with its name if there are several. Pure.
std::string RenderTable(const ListResult& result, const TerminalStyle& style);

// For programs: an array of objects for each list. Pure.
std::string RenderJson(const ListResult& result);

// A row for each name; the lists have their columns in common. Pure.
FlatTable Flattened(const ListResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
