#include "gmsh_session.hpp"

#include <gmsh.h>

#include <algorithm>
#include <vector>

#include "command_guard.hpp"

namespace tetrawave::mesher {
namespace {

void set_deterministic_defaults() {
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::option::setNumber("General.AbortOnError", 2);  // throw at the first error
  gmsh::option::setNumber("General.NumThreads", 1);
  gmsh::option::setNumber("Mesh.RandomSeed", 1);
  gmsh::option::setNumber("Mesh.Algorithm", 6);    // Frontal-Delaunay
  gmsh::option::setNumber("Mesh.Algorithm3D", 1);  // Delaunay
  gmsh::option::setNumber("Mesh.Optimize", 1);
  gmsh::option::setNumber("Mesh.OptimizeNetgen", 0);
}

// Gmsh throws texts; which C++ type they have changed between its versions.
std::string take_error_text(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const UserError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::string& text) {
    return text.empty() ? "unknown error" : text;
  } catch (const char* text) {
    return text;
  } catch (const std::exception& error) {
    return error.what();
  } catch (int) {
    std::string text;
    gmsh::logger::getLastError(text);
    return text.empty() ? "unknown error" : text;
  }
}

}  // namespace

GmshSession::GmshSession(const std::map<std::string, double>& parameters) {
  std::vector<std::string> arguments{"tetrawave-mesh"};
  for (const auto& [name, value] : parameters) {
    arguments.emplace_back("-setnumber");
    arguments.push_back(name);
    arguments.push_back(tetrawave::format("{}", value));
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  gmsh::initialize(static_cast<int>(arguments.size()), pointers.data(), false);
  set_deterministic_defaults();
}

GmshSession::~GmshSession() { gmsh::finalize(); }

void call_gmsh(const std::string& input, ExitCode code, const std::function<void()>& work) {
  std::string text;
  {
    const CommandGuard guard(input);  // not of the session: it begins and ends with files of Gmsh's own
    text = take_error_text(work);
  }
  fail_if_refused();  // what came of it is of no interest
  if (text.empty()) return;
  std::replace(text.begin(), text.end(), '\n', ' ');
  fail(code, "{}: Gmsh: {}", input, text);
}

}  // namespace tetrawave::mesher
