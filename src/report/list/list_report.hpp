#pragma once

#include "record/record.hpp"
#include "report/document/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

// A kind of things that the tool offers.
struct List {
  struct Column {
    std::string_view key;   // key in JSON: "doc"
    std::string_view head;  // head in the table: "what it is"
  };

  std::string_view name;  // "schedulers"
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

// The result of `schedbench list`.
struct ListResult {
  std::vector<List> lists;
};

// Returns a table for each list, with its name if there are several. In the rows for programs the
// lists share their columns. Pure.
Document DocumentOf(const ListResult& result, const TerminalStyle& style);

// Returns the JSON record: an array of objects for each list. Pure.
record::Record RecordOf(const ListResult* /*type*/);

}  // namespace schedbench::report
