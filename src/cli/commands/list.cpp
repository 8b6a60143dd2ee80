#include "cli/command.hpp"
#include "cli/flags/catalogue.hpp"
#include "cli/flags/names.hpp"

#include <array>

namespace schedbench::cli {

namespace {

using report::List;

struct ListedColumn {
  List::Column column;
  std::string NamedThing::* text = nullptr;  // null: the kind does not have the column
};

struct ListedKind {
  std::string_view name;
  std::array<ListedColumn, 4> columns;
};

constexpr ListedColumn kName{{"name", "name"}, &NamedThing::name};
constexpr auto kDoc = &NamedThing::doc;

constexpr std::array kListedKinds{
    ListedKind{"schedulers", {kName, {{"doc", "what it is"}, kDoc}}},
    ListedKind{"workloads", {kName, {{"doc", "what it does"}, kDoc}}},
    ListedKind{"metrics",
               {kName,
                {{"unit", "unit"}, &NamedThing::unit},
                {{"one_per", "one per"}, &NamedThing::one_per},
                {{"doc", "what it counts"}, kDoc}}},
    ListedKind{"configs", {kName, {{"scheduler", "for the scheduler"}, kDoc}}},
    ListedKind{"suites", {kName, {{"doc", "which workloads"}, kDoc}}}};

constexpr auto kListedNames = NamesOf(kListedKinds);

constexpr auto kListFlags = FlagsOf(kFormatFlag, kOutputFlag);

List ListOf(const ListedKind& kind) {
  List list{.name = kind.name, .columns = {}, .rows = {}};
  const std::string_view singular = kind.name.substr(0, kind.name.size() - 1);
  const std::vector<NamedThing> things = FindByName(NamedKinds(), singular)->things();
  list.rows.resize(things.size());
  for (const ListedColumn& column : kind.columns) {
    if (column.text == nullptr) {
      continue;
    }
    list.columns.push_back(column.column);
    for (std::size_t i = 0; i < things.size(); ++i) {
      list.rows[i].push_back(things[i].*column.text);
    }
  }
  return list;
}

ExitCode ListNames(const Arguments& arguments) {
  report::ListResult result;
  for (const ListedKind& kind : kListedKinds) {
    if (arguments.words.empty() || arguments.words.front() == kind.name) {
      result.lists.push_back(ListOf(kind));
    }
  }
  const Delivery delivery = Delivery::Of<report::ListResult>(arguments);
  delivery.Deliver(result);
  return ExitCode::kDone;
}

const CommandRegistration kList{{
    .place = 190,
    .name = "list",
    .summary = "list schedulers, workloads, metrics, configs or suites",
    .words = {"", 0, 1, Names::kNone, nullptr, OneOf(kListedNames)},
    .flags = kListFlags,
    .details =
        R"(Without an argument, prints all lists. schedbench describe explains an entry of any list.
)",
    .examples =
        R"(  schedbench list schedulers
  schedbench list metrics
  schedbench list --format json
)",
    .run = &ListNames,
}};

}  // namespace

}  // namespace schedbench::cli
