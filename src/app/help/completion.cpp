#include "app/help/completion.hpp"

#include "app/help/grammar.hpp"
#include "base/error.hpp"
#include "base/text/suggest.hpp"

namespace tetrawave::app {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Within single quotes of a shell; `also` get a backslash.
std::string quoted(const std::string& text, const std::string& also = "") {
  std::string result = "'";
  for (const char c : text) {
    if (also.find(c) != std::string::npos) result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result + "'";
}

/// The bash command that offers a value.
std::string bash_offer(const Value& value) {
  if (value.kind == ValueKind::words) return "words='" + joined(value.words) + "'";
  if (value.kind == ValueKind::file) return "files=-f";
  if (value.kind == ValueKind::folder) return "files=-d";
  return ":";
}

std::string bash_script(const CLI::App& app) {
  std::string commands, values, rest;
  for (const CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    commands += " " + name;
    std::string options;
    for (const CLI::Option* option : options_of(*command)) {
      const Value value = value_of(*option);
      std::vector<std::string> patterns;
      for (const std::string& spelled : names_of(*option)) {
        options += " " + spelled;
        patterns.push_back("'" + name + " " + spelled + "'");
      }
      if (value.kind != ValueKind::none)
        values += "    " + joined(patterns, " | ") + ") " + bash_offer(value) + " ;;\n";
    }
    rest += "    " + name + ")\n      options='" + options.substr(1) + "'\n";
    for (const CLI::Option* positional : positionals_of(*command))
      rest += "      " + bash_offer(value_of(*positional)) + "\n";
    rest += "      ;;\n";
  }
  return "# bash completion for tetrawave: source <(tetrawave completion bash)\n"
         "_tetrawave() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words='' files='' options=''\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W '" +
         commands.substr(1) +
         " --help --version' -- \"$current\")\n"
         "    return\n"
         "  fi\n"
         "  case \"$command ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" +
         values + "    *) case $command in\n" + rest +
         "    esac\n"
         "    if [[ $current = -* ]]; then words=$options files=''; fi ;;\n"
         "  esac\n"
         "  COMPREPLY=()\n"
         "  if [ -n \"$files\" ]; then\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen \"$files\" -- \"$current\")\n"
         "  elif [ -n \"$words\" ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  fi\n"
         "}\n"
         "complete -F _tetrawave tetrawave\n";
}

/// The action of zsh's _arguments for a value.
std::string zsh_action(const Value& value) {
  if (value.kind == ValueKind::words) return "(" + joined(value.words) + ")";
  if (value.kind == ValueKind::file) return "_files";
  return value.kind == ValueKind::folder ? "_files -/" : " ";
}

/// One argument of zsh's _arguments: '*--set[text]:a.b.c=VALUE: '.
std::string zsh_argument(const CLI::Option& option) {
  const Value value = value_of(option);
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (const char c : text)
      result += std::string(std::string_view("[]:\\").find(c) == std::string::npos ? "" : "\\") + c;
    return result;
  };
  const std::string takes =
      value.kind == ValueKind::none ? "" : ":" + escaped(option.get_type_name()) + ":" + zsh_action(value);
  if (option.get_positional()) {
    const bool many = option.get_items_expected_max() > 1;
    return " " + quoted((many ? "*:" : "1:") + escaped(option.get_name()) + ":" + zsh_action(value));
  }
  std::string text;
  for (const std::string& name : names_of(option))
    text += " " + quoted("*" + name + "[" + escaped(option.get_description()) + "]" + takes);
  return text;
}

std::string zsh_script(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(app)) {
    commands += "\n    " + quoted(command->get_name() + ":" + command->get_description());
    cases += "    " + command->get_name() + ") _arguments";
    for (const CLI::Option* option : options_of(*command)) cases += " \\\n     " + zsh_argument(*option);
    for (const CLI::Option* positional : positionals_of(*command)) cases += " \\\n     " + zsh_argument(*positional);
    cases += " ;;\n";
  }
  return "#compdef tetrawave\n"
         "# zsh completion for tetrawave: tetrawave completion zsh > _tetrawave, in a folder of $fpath\n"
         "_tetrawave() {\n"
         "  local -a commands=(" +
         commands +
         ")\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $words[1] in\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] = _tetrawave ]]; then _tetrawave \"$@\"; else compdef _tetrawave tetrawave; fi\n";
}

std::string fish_value(const Value& value) {
  if (value.kind == ValueKind::words) return " -x -a " + quoted(joined(value.words));
  if (value.kind == ValueKind::file) return " -r -F";
  if (value.kind == ValueKind::folder) return " -x -a '(__fish_complete_directories)'";
  return value.kind == ValueKind::none ? "" : " -x";
}

std::string fish_script(const CLI::App& app) {
  std::string text = "# fish completion for tetrawave: tetrawave completion fish | source\ncomplete -c tetrawave -f\n";
  for (const CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    const std::string within = "complete -c tetrawave -n '__fish_seen_subcommand_from " + name + "'";
    text += "complete -c tetrawave -n __fish_use_subcommand -a " + name + " -d " + quoted(command->get_description()) +
            "\n";
    for (const CLI::Option* option : options_of(*command)) {
      text += within;
      for (const std::string& spelled : option->get_lnames()) text += " -l " + spelled;
      for (const std::string& spelled : option->get_snames()) text += " -s " + spelled;
      text += fish_value(value_of(*option)) + " -d " + quoted(option->get_description()) + "\n";
    }
    for (const CLI::Option* positional : positionals_of(*command)) {
      const Value value = value_of(*positional);
      if (value.kind == ValueKind::words)
        text += within + " -a " + quoted(joined(value.words)) + "\n";
      else
        text += within + (value.kind == ValueKind::folder ? " -a '(__fish_complete_directories)'\n" : " -F\n");
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_script(app);
  if (shell == "zsh") return zsh_script(app);
  if (shell == "fish") return fish_script(app);
  fail(ExitCode::usage, "tetrawave: error: completion: unknown shell '{}'{}; allowed: bash, zsh, fish", shell,
       did_you_mean(shell, {"bash", "zsh", "fish"}));
}

}  // namespace tetrawave::app
