#include "host/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "base/error.hpp"

namespace tetrawave::host {

namespace {

Isa isa_of_machine() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Isa::v4;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::v3;
  return Isa::v2;
}

/// The best first.
std::vector<Isa> isas_of_build() {
  return {
#ifdef TW_HAS_ISA_v4
      Isa::v4,
#endif
#ifdef TW_HAS_ISA_v3
      Isa::v3,
#endif
#ifdef TW_HAS_ISA_v2
      Isa::v2,
#endif
  };
}

}  // namespace

std::vector<Isa> usable_isas() {
  const Isa machine = isa_of_machine();
  std::vector<Isa> usable = isas_of_build();
  std::erase_if(usable, [&](Isa isa) { return isa > machine; });
  return usable;
}

Isa best_isa() {
  const std::vector<Isa> usable = usable_isas();
  if (usable.empty())
    fail(
        ExitCode::unavailable,
        "tetrawave: error: this build has the CPU backend for {} only, and this machine runs {} at best: build on this "
        "machine, or with -DTETRAWAVE_ISAS=all",
        isas_in_build(), name_of(isa_of_machine()));
  const char* wanted = std::getenv("TETRAWAVE_ISA");
  if (wanted == nullptr || *wanted == '\0') return usable.front();
  for (const Isa isa : usable)
    if (name_of(isa) == "x86-64-" + std::string(wanted)) return isa;
  fail(ExitCode::unavailable,
       "tetrawave: error: TETRAWAVE_ISA={}: this build has the CPU backend for {}, and this machine runs {} at best: "
       "name "
       "one of these (v2, v3 or v4), or build with -DTETRAWAVE_ISAS=all",
       wanted, isas_in_build(), name_of(isa_of_machine()));
}

std::string isas_in_build() {
  std::string text;
  for (const Isa isa : isas_of_build()) text += (text.empty() ? "" : ", ") + name_of(isa);
  return text;
}

std::string name_of(Isa isa) {
  switch (isa) {
    case Isa::v2:
      return "x86-64-v2";
    case Isa::v3:
      return "x86-64-v3";
    case Isa::v4:
      return "x86-64-v4";
  }
  return "";
}

std::string name_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown processor";
}

}  // namespace tetrawave::host
