#include "app/help/grammar.hpp"

#include <sstream>

namespace tetrawave::app {

Value value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  if (type.find('|') != std::string::npos) {
    Value value{ValueKind::words, {}};
    std::istringstream words(type);
    for (std::string word; std::getline(words, word, '|');) value.words.push_back(word);
    return value;
  }
  if (type == "FILE" || type.ends_with(".h5")) return {ValueKind::file, {}};
  return {type == "DIR" ? ValueKind::folder : ValueKind::other, {}};
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

}  // namespace tetrawave::app
