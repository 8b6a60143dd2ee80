// JSON texts, among them result files. What the strict reader accepts, another reader accepts too;
// it is the same when printed and read again, every node can be pointed at, and what is refused
// says where.

#include "config/json_document.hpp"
#include "tests/fuzz/oracle.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

using namespace schedbench;

namespace {

void PointAtAll(const config::JsonDocument& document, const config::JsonNode& node) {
  fuzz::Check(document.Where(node.offset).starts_with("fuzz.json:"), "every node has a place");
  for (const config::JsonMember& member : node.members) {
    fuzz::Check(!document.PointerTo(member.value).empty(), "every member has a pointer");
    PointAtAll(document, member.value);
  }
  for (const config::JsonNode& element : node.elements) {
    PointAtAll(document, element);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  config::Problems problems;
  const auto document = config::JsonDocument::Parse(text, "fuzz.json", problems);
  if (!document || !problems.empty()) {
    fuzz::CheckNamesWhatIsWrong(problems, "fuzz.json");
    return 0;
  }
  fuzz::Check(nlohmann::json::accept(text), "what we accept is JSON to others");
  if (size < 1000) {  // a pointer takes time linear in the document
    PointAtAll(*document, document->Root());
  }
  const auto again =
      config::JsonDocument::Parse(fuzz::ToJson(document->Root()), "again.json", problems);
  fuzz::Check(again && problems.empty(), "printed, it is accepted again");
  fuzz::Check(fuzz::SameValues(document->Root(), again->Root()), "printed, it is the same");
  return 0;
}
