#include "march/interface/action.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tetrawave::march {

namespace {

/// Elements of a part, or all.
enum class On { part, all };
/// Fields that advance: `of_stages`, of DGTD-Upwind without LTS, whose traces travel together; `of_upwind`, of both its
/// forms, in which both fields are advanced at once.
enum class Of { own, both, of_stages, of_upwind, none };

struct ActText {
  Act act;
  const char* name;
  Share share;
  On on;
  Of of;
};

constexpr std::array act_texts{
    ActText{Act::sum_jumps, "sum the energy of jumps", Share::rest, On::all, Of::both},
    ActText{Act::fork, "start the border first", Share::rest, On::all, Of::of_stages},
    ActText{Act::send, "send traces", Share::rest, On::all, Of::of_stages},
    ActText{Act::carry, "carry messages", Share::rest, On::all, Of::of_stages},
    ActText{Act::receive, "receive ghosts", Share::rest, On::all, Of::of_stages},
    ActText{Act::join, "wait for both", Share::rest, On::all, Of::of_stages},
    ActText{Act::update, "volume and surface", Share::update, On::part, Of::of_upwind},
    ActText{Act::predict, "predict integrals", Share::update, On::part, Of::of_upwind},
    ActText{Act::dispersion, "dispersion", Share::dispersion, On::part, Of::own},
    ActText{Act::dispersion_after, "dispersion, after the update", Share::dispersion, On::part, Of::own},
    ActText{Act::layers, "absorbing layers", Share::layers, On::part, Of::own},
    ActText{Act::layer_jumps, "jumps in absorbing layers", Share::layers, On::all, Of::own},
    ActText{Act::nonlinear, "Kerr media", Share::nonlinear, On::part, Of::own},
    ActText{Act::walls, "walls and incident waves", Share::walls, On::part, Of::own},
    ActText{Act::waves, "incident waves", Share::walls, On::part, Of::of_upwind},
    ActText{Act::conductors, "conductors", Share::walls, On::part, Of::of_upwind},
    ActText{Act::metal, "hold E on metal", Share::walls, On::part, Of::own},
    ActText{Act::keep_old, "keep the old values", Share::rest, On::all, Of::own},
    ActText{Act::keep, "keep the field at walls", Share::walls, On::part, Of::own},
    ActText{Act::sources, "sources", Share::sources, On::part, Of::own},
    ActText{Act::dispersive_ports, "dispersive ports", Share::ports, On::all, Of::own},
    ActText{Act::one_mode_before, "voltages of ports of one mode", Share::ports, On::all, Of::own},
    ActText{Act::one_mode_after, "currents of ports of one mode", Share::ports, On::all, Of::own},
    ActText{Act::solve, "solve the linear system", Share::update, On::all, Of::both},
    ActText{Act::right_side, "right-hand side", Share::update, On::all, Of::both},
    ActText{Act::fields, "fields of the solution", Share::update, On::all, Of::both},
    ActText{Act::turn, "new values become present", Share::rest, On::all, Of::both},
    ActText{Act::count, "count the step", Share::rest, On::all, Of::none},
};

const ActText& text_of(Act act) {
  const auto found = std::find_if(act_texts.begin(), act_texts.end(), [&](const ActText& t) { return t.act == act; });
  ensure(found != act_texts.end(), "every act has a name");
  return *found;
}

bool has_part(Act act) { return text_of(act).on == On::part; }

bool has(const StepPlan& plan, Act act) {
  const auto is_act = [&](const Action& action) { return action.act == act; };
  return std::any_of(plan.after_row.begin(), plan.after_row.end(), is_act);
}

const char* fields_of(const StepPlan& plan, const Action& action) {
  const Of of = text_of(action.act).of;
  if (of == Of::none) return "-";
  const bool in_stages = has(plan, Act::turn), of_levels = has(plan, Act::predict);
  const bool both = of == Of::both || (of != Of::own && in_stages) || (of == Of::of_upwind && of_levels);
  return both ? "E, H" : action.field == Field::electric ? "E" : "H";
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
