// A coaxial line along z from a port to an end, whose ring is a surface of its own. Lengths in mm. The cross-section is a
// ring of quadrilaterals, swept along z.
DefineConstant[
  inner_radius = {1, Name "Coax/Inner radius (mm)"},
  outer_radius = {2.3, Name "Coax/Outer radius (mm)"},
  length = {20, Name "Coax/Length (mm)"},
  segments = {32, Name "Mesh/Segments round the circumference (a multiple of 4)"},
  radial_layers = {3, Name "Mesh/Radial layers"},
  axial_size = {1, Name "Mesh/Largest element along z (mm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || length <= 0)
  Error("outer_radius must be larger than inner_radius, and all lengths positive");
EndIf
If (segments < 8 || segments % 4 != 0 || radial_layers < 1 || axial_size <= 0)
  Error("segments must be a multiple of 4, 8 or more, radial_layers 1 or more, axial_size positive");
EndIf

centre = newp;
Point(centre) = {0, 0, 0};
For k In {0:3}
  angle = k * Pi / 2;
  near[k] = newp;
  Point(near[k]) = {inner_radius * Cos(angle), inner_radius * Sin(angle), 0};
  far[k] = newp;
  Point(far[k]) = {outer_radius * Cos(angle), outer_radius * Sin(angle), 0};
  radius[k] = newl;
  Line(radius[k]) = {near[k], far[k]};
EndFor
Transfinite Curve {radius[]} = radial_layers + 1 Using Progression (outer_radius / inner_radius) ^ (1 / radial_layers);
For k In {0:3}
  next = (k + 1) % 4;
  near_arc[k] = newl;
  Circle(near_arc[k]) = {near[k], centre, near[next]};
  far_arc[k] = newl;
  Circle(far_arc[k]) = {far[k], centre, far[next]};
  loop = newll;
  Curve Loop(loop) = {radius[k], far_arc[k], -radius[next], -near_arc[k]};
  ring[k] = news;
  Plane Surface(ring[k]) = {loop};
EndFor
Transfinite Curve {near_arc[], far_arc[]} = segments / 4 + 1;
Transfinite Surface {ring[]} Alternate;

For k In {0:3}
  made[] = Extrude {0, 0, length} { Surface{ring[k]}; Layers{Ceil(length / axial_size - 1e-9)}; };
  top[k] = made[0];
  volume[k] = made[1];
  outer_side[k] = made[3];
  inner_side[k] = made[5];
EndFor

Physical Volume("line") = {volume[]};
Physical Surface("inner") = {inner_side[]};
Physical Surface("outer") = {outer_side[]};
Physical Surface("port_face") = {ring[]};
Physical Surface("end") = {top[]};
