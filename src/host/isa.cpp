#include "host/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace tetrawave::host {

namespace {

Isa isa_of_machine() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Isa::v4;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::v3;
  return Isa::v2;
}

}  // namespace

Isa best_isa() {
  const Isa machine = isa_of_machine();
  const char* wanted = std::getenv("TETRAWAVE_ISA");
  if (wanted == nullptr) return machine;
  for (const Isa isa : {Isa::v2, Isa::v3})
    if (name_of(isa) == "x86-64-" + std::string(wanted) && isa < machine) return isa;
  return machine;
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
