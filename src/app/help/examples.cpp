#include "app/help/examples.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text/format.hpp"

namespace tetrawave::app {

namespace {

constexpr std::array<Example, 29> all_examples{
    {{"", "tetrawave new antenna && tetrawave run antenna.yaml && tetrawave report antenna.out",
      "from nothing to a report"},
     {"", "mpirun -n 4 tetrawave run case.yaml", "a case on four ranks"},
     {"run", "tetrawave run case.yaml", "writes case.out/"},
     {"run", "tetrawave run case.yaml -o fine.out --set mesh.size=0.5 --set method.precision=single",
      "with other settings, into another folder"},
     {"run", "mpirun -n 4 tetrawave run case.yaml --backend cuda", "four ranks with one GPU each"},
     {"run", "tetrawave run case.yaml --max-wall 23h50m", "stops with a checkpoint before the time is up .."},
     {"run", "tetrawave run case.yaml --resume", ".. and continues"},
     {"check", "tetrawave check case.yaml", "mesh, ports, time step, memory and run time, without running"},
     {"check", "tetrawave check case.yaml --solve",
      "in the frequency domain: solve one frequency instead of estimating"},
     {"check", "mpirun -n 8 tetrawave check case.yaml --json", "memory of each of eight ranks, as JSON"},
     {"mesh", "tetrawave mesh case.yaml -o line.h5", "for 'mesh: {file: line.h5}'"},
     {"study", "tetrawave study case.yaml", "every combination of the case's key 'study'"},
     {"study", "tetrawave study case.yaml --result s11@2.45GHz --result resonance:1", "with these columns"},
     {"info", "tetrawave info", "to include when you report a problem"},
     {"info", "tetrawave info --support", "what works with what"},
     {"bench", "tetrawave bench --space full-1,mixed-2 --precision double", "two spaces in every scheme"},
     {"bench", "tetrawave bench --factors --elements 20000,100000", "the direct solver"},
     {"selftest", "tetrawave selftest", "after an installation"},
     {"selftest", "mpirun -n 2 tetrawave selftest --backend cuda", "two GPUs and the connection between them"},
     {"new", "tetrawave new antenna", "antenna.yaml with its geometry antenna.geo"},
     {"new", "tetrawave new waveguide -o filters/iris.yaml", "under other names"},
     {"report", "tetrawave report patch.out", "patch.out/report.html"},
     {"report", "tetrawave report dgtd.out fem.out -o compare.html", "two runs side by side"},
     {"inspect", "tetrawave inspect case.yaml", "case.inspect.html"},
     {"inspect", "tetrawave inspect case.yaml --set mesh.size=2 -o coarse.html", "with another mesh"},
     {"completion", "source <(tetrawave completion bash)", "in ~/.bashrc"},
     {"completion", "tetrawave completion zsh > ~/.zfunc/_tetrawave", "in a folder of $fpath"},
     {"completion", "tetrawave completion fish > ~/.config/fish/completions/tetrawave.fish", "for fish"},
     {"man", "tetrawave man | man -l -", "shows the page"}}};

}  // namespace

std::span<const Example> examples() { return all_examples; }

void add_examples(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    std::string text = "Examples:";
    for (const Example& example : all_examples)
      if (example.command == command->get_name())
        text += tetrawave::format("\n  {}\n      {}", example.line, example.what);
    command->footer(text);
  }
}

}  // namespace tetrawave::app
