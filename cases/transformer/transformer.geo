// A single-phase transformer seen along its limbs' plane: a closed core, a winding around each limb; lengths in m.
DefineConstant[ size = 0.05 ];  // of elements in and around the core

Macro DrawRectangle
  p = newp; Point(p) = {x0, y0, 0}; Point(p+1) = {x1, y0, 0}; Point(p+2) = {x1, y1, 0}; Point(p+3) = {x0, y1, 0};
  c = newl; Line(c) = {p, p+1}; Line(c+1) = {p+1, p+2}; Line(c+2) = {p+2, p+3}; Line(c+3) = {p+3, p};
  loop = newll; Line Loop(loop) = {c, c+1, c+2, c+3};
  sides[] = {c, c+1, c+2, c+3};
Return

Macro DrawWinding
  x0 = middle - 0.1; x1 = middle + 0.1; y0 = -1; y1 = 1;
  Call DrawRectangle;
  surface = news; Plane Surface(surface) = {loop};
Return

x0 = -4; x1 = 4; y0 = -4; y1 = 4;
Call DrawRectangle;
box_loop = loop; far[] = sides[];
x0 = -1.4; x1 = 1.4; y0 = -2; y1 = 2;
Call DrawRectangle;
outer_loop = loop;
x0 = -0.6; x1 = 0.6; y0 = -1.2; y1 = 1.2;
Call DrawRectangle;
window_loop = loop;
middle = -0.45;
Call DrawWinding;
primary_inside = surface; primary_inside_loop = loop;
middle = -1.55;
Call DrawWinding;
primary_outside = surface; primary_outside_loop = loop;
middle = 0.45;
Call DrawWinding;
secondary_inside = surface; secondary_inside_loop = loop;
middle = 1.55;
Call DrawWinding;
secondary_outside = surface; secondary_outside_loop = loop;

core = news; Plane Surface(core) = {outer_loop, window_loop};
window = news; Plane Surface(window) = {window_loop, primary_inside_loop, secondary_inside_loop};
around = news; Plane Surface(around) = {box_loop, outer_loop, primary_outside_loop, secondary_outside_loop};
Physical Surface("core") = {core};
Physical Surface("primary_inside") = {primary_inside};
Physical Surface("primary_outside") = {primary_outside};
Physical Surface("secondary") = {secondary_inside, secondary_outside};
Physical Surface("air") = {window, around};
Physical Curve("far") = {far[]};

Field[1] = MathEval;
Field[1].F = Sprintf("%g*(1 + 0.75*(Max(0, Fabs(x) - 1.65) + Max(0, Fabs(y) - 2)))", size);
Background Field = 1;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
