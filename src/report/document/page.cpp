#include "profile/page_with_data.hpp"
#include "registry/pages.hpp"
#include "report/document/document.hpp"
#include "report/parts/origin.hpp"

#include <algorithm>
#include <iterator>

namespace schedbench::report {

namespace {

constexpr int kPageVersion = 1;

std::string TextOf(const Note& note) {
  return note.label == Note::kPlainLabel ? note.text : note.label + ": " + note.text;
}

void AddSentences(const std::vector<Sentence>& sentences, Json& to) {
  for (const Sentence& sentence : sentences) {
    to.push_back(sentence.text + (sentence.remedy.empty() ? "" : "    ") + sentence.remedy);
  }
}

Json TableJson(const Table& table) {
  return {{"columns", ArrayOf(table.columns,
                              [](const ColumnHead& column) -> Json {
                                return {{"name", column.name},
                                        {"align", column.align == kRight ? "right" : "left"}};
                              })},
          {"rows", ArrayOf(table.rows, [](const std::vector<Cell>& row) {
             return ArrayOf(row, &Cell::shown);
           })}};
}

Json SectionOfPage(const Section& section) {
  Json json{{"title", section.title}};
  if (!section.about.empty()) {
    json["about"] = section.about;
  }
  if (!section.chart.is_null()) {
    json["chart"] = section.chart;
  }
  if (!section.empty.empty()) {
    json["empty"] = section.empty;
  }
  Json sentences = Json::array();
  AddSentences(section.lead, sentences);
  AddSentences(section.details, sentences);
  if (!sentences.empty()) {
    json["sentences"] = std::move(sentences);
  }
  if (const Table table = section.table.For(kInPage); !table.columns.empty()) {
    json["table"] = TableJson(table);
  }
  return json;
}

}  // namespace

std::string PageText(const Document& document, const TerminalStyle& /*style*/) {
  auto facts = document.facts;
  std::vector<Note> notes = document.endings;
  std::ranges::copy(document.notes, std::back_inserter(notes));
  if (document.origin) {
    const Origin& origin = *document.origin;
    std::ranges::move(OriginFacts(origin.machine, origin.command, origin.seed),
                      std::back_inserter(facts));
    std::ranges::move(NotesOn(origin.machine), std::back_inserter(notes));
  }
  Json sections = Json::array();
  for (const Section& section : document.sections) {
    if ((section.media & kInPage) != 0) {
      sections.push_back(SectionOfPage(section));
    }
  }
  const Json data{
      {"version", kPageVersion},
      {"title", document.title},
      {"facts", facts},
      {"notes",
       ArrayOf(notes, [](const Note& note) -> Json { return {TextOf(note), note.remedy}; })},
      {"sections", std::move(sections)}};
  return profile::PageWithData(registry::ChartPage(),
                               data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace schedbench::report
