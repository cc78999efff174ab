#include "march/interface/action.hpp"

#include <algorithm>

#include "base/error.hpp"
namespace tetrawave::march {

namespace {

struct ActText {
  Act act;
  const char* name;
  Share share;
};

constexpr std::array act_texts{
    ActText{Act::sum_jumps, "sum the energy of jumps", Share::rest},
    ActText{Act::fork, "start the border first", Share::rest},
    ActText{Act::send, "send traces", Share::rest},
    ActText{Act::carry, "carry messages", Share::rest},
    ActText{Act::receive, "receive ghosts", Share::rest},
    ActText{Act::join, "wait for both", Share::rest},
    ActText{Act::update, "volume and surface", Share::update},
    ActText{Act::predict, "predict integrals", Share::update},
    ActText{Act::dispersion, "dispersion", Share::dispersion},
    ActText{Act::dispersion_after, "dispersion, after the update", Share::dispersion},
    ActText{Act::layers, "absorbing layers", Share::layers},
    ActText{Act::layer_jumps, "jumps in absorbing layers", Share::layers},
    ActText{Act::nonlinear, "Kerr media", Share::nonlinear},
    ActText{Act::walls, "walls and incident waves", Share::walls},
    ActText{Act::waves, "incident waves", Share::walls},
    ActText{Act::conductors, "conductors", Share::walls},
    ActText{Act::metal, "hold E on metal", Share::walls},
    ActText{Act::keep_old, "keep the old values", Share::rest},
    ActText{Act::keep, "keep the field at walls", Share::walls},
    ActText{Act::sources, "sources", Share::sources},
    ActText{Act::dispersive_ports, "dispersive ports", Share::ports},
    ActText{Act::one_mode_before, "voltages of ports of one mode", Share::ports},
    ActText{Act::one_mode_after, "currents of ports of one mode", Share::ports},
    ActText{Act::solve, "solve the linear system", Share::update},
    ActText{Act::right_side, "right-hand side", Share::update},
    ActText{Act::fields, "fields of the solution", Share::update},
    ActText{Act::turn, "new values become present", Share::rest},
    ActText{Act::count, "count the step", Share::rest},
};

const ActText& text_of(Act act) {
  const auto found = std::find_if(act_texts.begin(), act_texts.end(), [&](const ActText& t) { return t.act == act; });
  ensure(found != act_texts.end(), "every act has a name");
  return *found;
}

bool has_part(Act act) {
  switch (act) {
    case Act::sum_jumps:
    case Act::fork:
    case Act::send:
    case Act::carry:
    case Act::receive:
    case Act::join:
    case Act::layer_jumps:
    case Act::keep_old:
    case Act::dispersive_ports:
    case Act::one_mode_before:
    case Act::one_mode_after:
    case Act::solve:
    case Act::right_side:
    case Act::fields:
    case Act::turn:
    case Act::count:
      return false;
    default:
      return true;
  }
}

bool has(const StepPlan& plan, Act act) {
  const auto is_act = [&](const Action& action) { return action.act == act; };
  return std::any_of(plan.after_row.begin(), plan.after_row.end(), is_act);
}

/// DGTD-Upwind advances both fields at once; with LTS their traces travel one after the other.
const char* fields_of(const StepPlan& plan, const Action& action) {
  const bool in_stages = has(plan, Act::turn), of_levels = has(plan, Act::predict);
  const char* own = action.field == Field::electric ? "E" : "H";
  switch (action.act) {
    case Act::count:
      return "-";
    case Act::sum_jumps:
    case Act::turn:
    case Act::solve:
    case Act::right_side:
    case Act::fields:
      return "E, H";
    case Act::update:
    case Act::predict:
    case Act::waves:
    case Act::conductors:
      return in_stages || of_levels ? "E, H" : own;
    case Act::fork:
    case Act::send:
    case Act::carry:
    case Act::receive:
    case Act::join:
      return in_stages ? "E, H" : own;
    default:
      return own;
  }
}

std::vector<std::string> row_of(const StepPlan& plan, const Action& action, int levels) {
  std::vector<std::string> row{name_of(action.act), fields_of(plan, action),
                               has_part(action.act) ? (action.part.border ? "border" : "inner") : "all"};
  if (levels == 1) return row;
  const bool of_level = has_part(action.act);
  row.push_back(of_level ? std::to_string(action.part.step_class)
                         : tetrawave::format("{}-{}", action.first_level, action.levels - 1));
  row.push_back(of_level ? std::to_string(action.substep) : "");
  return row;
}

}  // namespace

const char* name_of(Act act) { return text_of(act).name; }
Share share_of(Act act) { return text_of(act).share; }

std::vector<std::vector<std::string>> table_of(const StepPlan& plan, int levels) {
  std::vector<std::vector<std::string>> rows;
  for (const auto* actions : {&plan.begin, &plan.before_row})
    for (const Action& action : *actions) rows.push_back(row_of(plan, action, levels));
  rows.push_back({"record the row"});
  for (const Action& action : plan.after_row) rows.push_back(row_of(plan, action, levels));
  return rows;
}

}  // namespace tetrawave::march
