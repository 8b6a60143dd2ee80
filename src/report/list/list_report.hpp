#pragma once

#include "record/record.hpp"
#include "report/document/document.hpp"

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

// A table for each list, with its name if there are several. In the rows of programs the lists have
// their columns in common. Pure.
Document DocumentOf(const ListResult& result, const TerminalStyle& style);

// For programs: an array of objects for each list. Pure.
const record::Record& RecordOf(const ListResult* /*type*/);

}  // namespace schedbench::report
