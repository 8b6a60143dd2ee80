#include "tests/sim/runner/finding_text.hpp"

#include <sstream>

namespace schedbench::sim {

std::string ToText(const Finding& finding) {
  std::ostringstream text;
  text.precision(17);
  text << finding.failed << ' ' << finding.complete << ' ' << finding.executions << ' '
       << finding.states << ' ' << finding.steps << ' ' << finding.seconds << '\n'
       << finding.failure << '\n'
       << finding.schedule << '\n';
  return text.str();
}

Finding FindingFromText(const std::string& text) {
  std::istringstream in(text);
  Finding finding;
  in >> finding.failed >> finding.complete >> finding.executions >> finding.states >>
      finding.steps >> finding.seconds;
  in.ignore();
  std::getline(in, finding.failure);
  std::getline(in, finding.schedule);
  return finding;
}

}  // namespace schedbench::sim
