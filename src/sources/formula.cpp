#include "sources/formula.hpp"

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <mutex>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/text/suggest.hpp"

namespace tetrawave {

namespace {

double smallest(const double* values, int count) { return *std::min_element(values, values + count); }
double largest(const double* values, int count) { return *std::max_element(values, values + count); }
double sign(double x) { return static_cast<double>((x > 0) - (x < 0)); }

using OneArgument = double (*)(double);

// A fixed list, so that the language does not depend on the version of muParser.
const std::vector<std::pair<std::string, OneArgument>>& functions_of_one() {
  static const std::vector<std::pair<std::string, OneArgument>> list = {
      {"sin", std::sin},     {"cos", std::cos},     {"tan", std::tan},   {"asin", std::asin}, {"acos", std::acos},
      {"atan", std::atan},   {"sinh", std::sinh},   {"cosh", std::cosh}, {"tanh", std::tanh}, {"asinh", std::asinh},
      {"acosh", std::acosh}, {"atanh", std::atanh}, {"exp", std::exp},   {"ln", std::log},    {"log", std::log},
      {"log10", std::log10}, {"log2", std::log2},   {"sqrt", std::sqrt}, {"cbrt", std::cbrt}, {"abs", std::fabs},
      {"sign", sign},        {"floor", std::floor}, {"ceil", std::ceil}, {"erf", std::erf}};
  return list;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions_of_one()) names.push_back(name);
  names.insert(names.end(), {"atan2", "min", "max"});
  return names;
}

// muParser would read "x = 1" as an assignment to the variable.
bool has_assignment(const std::string& text) {
  const auto is_one_of = [](char c, const char* set) { return std::string(set).find(c) != std::string::npos; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool pair = i + 1 < text.size() && text[i + 1] == '=';
    const bool compares = i > 0 && is_one_of(text[i - 1], "<>!");
    if (!pair && !compares) return true;
    if (pair) ++i;
  }
  return false;
}

std::string joined(std::vector<std::string> names) { return list_names(names, names.size()); }

}  // namespace

struct Formula::State {
  std::string text;
  std::vector<std::string> variables;
  Place place;
  std::vector<double> values;
  mu::Parser parser;
  bool constant = false;
  std::mutex busy;

  State(std::string text_in, std::vector<std::string> variables_in, Place place_in)
      : text(std::move(text_in)), variables(std::move(variables_in)), place(std::move(place_in)) {
    values.assign(variables.size(), 0.0);
    try {
      define_language();
      parser.SetExpr(text);
      (void)parser.Eval();
      constant = parser.GetUsedVar().empty();  // after Eval: it would take any unknown name for a variable
    } catch (const mu::ParserError& error) {
      explain(error);
    }
    if (has_assignment(text)) refuse("'=' is not allowed; use '==' to compare");
    if (parser.GetNumResults() != 1) refuse("one value is expected; a comma separates arguments of a function only");
  }

  void define_language() {
    parser.ClearFun();
    parser.ClearConst();
    parser.DefineConst("pi", pi);
    parser.DefineConst("c0", c0_m_per_s);
    for (const auto& [name, function] : functions_of_one()) parser.DefineFun(name, function);
    parser.DefineFun("atan2", static_cast<double (*)(double, double)>(std::atan2));
    parser.DefineFun("min", smallest);
    parser.DefineFun("max", largest);
    for (std::size_t i = 0; i < variables.size(); ++i) parser.DefineVar(variables[i], &values[i]);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    fail(ExitCode::bad_case, "{}: error: the expression '{}' cannot be used: {}", place.text, text, why);
  }

  [[noreturn]] void explain(const mu::ParserError& error) const {
    const std::string token = error.GetToken();
    const bool is_name = !token.empty() && (std::isalpha(static_cast<unsigned char>(token[0])) || token[0] == '_');
    if (error.GetCode() != mu::ecUNASSIGNABLE_TOKEN || !is_name) refuse(error.GetMsg());
    refuse_name(token, static_cast<std::size_t>(std::max(error.GetPos(), 0)));
  }

  [[noreturn]] void refuse_name(const std::string& name, std::size_t at) const {
    const std::size_t after = text.find_first_not_of(" \t", at + name.size());
    const bool is_function = after != std::string::npos && text[after] == '(';
    std::vector<std::string> known = is_function ? function_names() : variables;
    if (!is_function) known.insert(known.end(), {"pi", "c0"});
    fail(ExitCode::bad_case,
         "{}: error: unknown {} '{}' in '{}'{}; allowed: the variable{} {}, the constants pi and c0, the functions {}",
         place.text, is_function ? "function" : "variable", name, text, did_you_mean(name, known),
         variables.size() == 1 ? "" : "s", joined(variables), joined(function_names()));
  }

  double evaluate(std::initializer_list<double> at) {
    ensure(at.size() == variables.size(), "a formula gets a value for each of its variables");
    std::copy(at.begin(), at.end(), values.begin());
    double result = 0;
    try {
      result = parser.Eval();
    } catch (const mu::ParserError& error) {
      refuse(error.GetMsg());
    }
    if (!std::isfinite(result)) refuse_value(result);
    return result;
  }

  [[noreturn]] void refuse_value(double result) const {
    std::string where;
    for (std::size_t i = 0; i < variables.size(); ++i)
      where += tetrawave::format("{}{} = {:.6g}", i == 0 ? "" : ", ", variables[i], values[i]);
    fail(ExitCode::bad_case, "{}: error: the expression '{}' is {} at {}; it must be finite there", place.text, text,
         std::isnan(result) ? "not a number" : "infinite", where);
  }
};

Formula::Formula(std::string text, std::vector<std::string> variables, Place place)
    : state_(std::make_unique<State>(std::move(text), std::move(variables), std::move(place))) {}
Formula::Formula(const Formula& other)
    : state_(std::make_unique<State>(other.state_->text, other.state_->variables, other.state_->place)) {}
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

double Formula::operator()(std::initializer_list<double> values) const {
  const std::lock_guard lock(state_->busy);
  return state_->evaluate(values);
}

bool Formula::is_constant() const { return state_->constant; }

}  // namespace tetrawave
