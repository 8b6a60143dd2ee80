#include "profile/page_with_data.hpp"

#include "base/assert.hpp"

#include <cstddef>

namespace schedbench::profile {

std::string PageWithData(std::string_view page, std::string_view json) {
  constexpr std::string_view kPlaceOfData = "<!--schedbench-data-->";
  const std::size_t place = page.find(kPlaceOfData);
  SB_ASSERT(place != std::string_view::npos, "the page has a mark for its data");
  std::string text;
  text.reserve(page.size() + json.size() + 64);
  text += page.substr(0, place);
  text += "<script type=\"application/json\" id=\"data\">";
  // This character only occurs in strings. A name with </script> would otherwise end the block.
  for (std::size_t begin = 0; begin < json.size();) {
    const std::size_t end = json.find('<', begin);
    text += json.substr(begin, end - begin);
    if (end == std::string_view::npos) {
      break;
    }
    text += "\\u003c";
    begin = end + 1;
  }
  text += "</script>";
  text += page.substr(place + kPlaceOfData.size());
  return text;
}

}  // namespace schedbench::profile
