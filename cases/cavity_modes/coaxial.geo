// A coaxial cavity: a line closed at both ends, with a bead at one of them. Lengths in mm.
DefineConstant[
  inner_radius = {4, Name "Line/Inner radius (mm)"},
  outer_radius = {12, Name "Line/Outer radius (mm)"},
  length = {60, Name "Line/Length (mm)"},
  bead_length = {20, Name "Line/Length of the bead (mm)"},
  segments = {12, Name "Mesh/Segments round the circumference (a multiple of 4)"},
  radial_layers = {2, Name "Mesh/Radial layers"},
  axial_size = {5, Name "Mesh/Largest element along z (mm)"}
];

// The ring at z = 0 in four quarters.
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
growth = (outer_radius / inner_radius) ^ (1 / radial_layers);
Transfinite Curve {radius[]} = radial_layers + 1 Using Progression growth;
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

// Two stretches along z: bead, line. An extruded surface gives {top, volume, sides in the order of its loop}.
lengths[] = {bead_length, length - bead_length};
face[] = ring[];
For stretch In {0:1}
  layers = Ceil(lengths[stretch] / axial_size - 1e-9);
  For k In {0:3}
    made[] = Extrude {0, 0, lengths[stretch]} { Surface{face[k]}; Layers{layers}; };
    face[k] = made[0];
    volumes[4 * stretch + k] = made[1];
    outer_side[4 * stretch + k] = made[3];
    inner_side[4 * stretch + k] = made[5];
  EndFor
EndFor

Physical Volume("bead") = {volumes[{0:3}]};
Physical Volume("air") = {volumes[{4:7}]};
Physical Surface("inner") = {inner_side[]};
Physical Surface("outer") = {outer_side[]};
Physical Surface("ends") = {ring[], face[]};
