#include "app/help/case_kinds.hpp"

#include "case_templates.hpp"

namespace tetrawave::app {

std::string case_kinds(const char* between) {
  std::string text;
  for (const CaseTemplate& known : case_templates) text += (text.empty() ? "" : between) + std::string(known.kind);
  return text;
}

}  // namespace tetrawave::app
