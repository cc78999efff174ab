// A coaxial line along z with a bead (another dielectric) in its middle. Lengths in mm.
//
// The cross-section is a ring of quadrilaterals, each cut into two triangles: `segments` round the circumference, the
// same on both conductors, with all vertices of the polygons on the circles; radially the layers grow like the radius,
// so that the triangles keep their shape. It is swept along z, so the discrete line is uniform but for the bead.
DefineConstant[
  inner_radius = {1, Name "Coax/Inner radius (mm)"},
  outer_radius = {2.3, Name "Coax/Outer radius (mm)"},
  length = {40, Name "Coax/Length (mm)"},
  bead_length = {10, Name "Coax/Length of the bead (mm)"},
  segments = {24, Name "Mesh/Segments round the circumference (a multiple of 4)"},
  radial_layers = {3, Name "Mesh/Radial layers"},
  axial_size = {1, Name "Mesh/Largest element along z (mm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius)
  Error("outer_radius must be larger than inner_radius, and both positive");
EndIf
If (bead_length <= 0 || bead_length >= length)
  Error("bead_length must be positive and less than length");
EndIf
If (segments < 8 || segments % 4 != 0)
  Error("segments must be a multiple of 4, 8 or more");
EndIf
If (radial_layers < 1 || axial_size <= 0)
  Error("radial_layers must be 1 or more, and axial_size positive");
EndIf

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

// Three stretches along z: line, bead, line. An extruded surface gives {top, volume, sides in the order of its loop}.
lengths[] = {(length - bead_length) / 2, bead_length, (length - bead_length) / 2};
face[] = ring[];
For stretch In {0:2}
  layers = Ceil(lengths[stretch] / axial_size - 1e-9);
  For k In {0:3}
    made[] = Extrude {0, 0, lengths[stretch]} { Surface{face[k]}; Layers{layers}; };
    face[k] = made[0];
    volumes[4 * stretch + k] = made[1];
    outer_side[4 * stretch + k] = made[3];
    inner_side[4 * stretch + k] = made[5];
  EndFor
EndFor

Physical Volume("line") = {volumes[{0:3}], volumes[{8:11}]};
Physical Volume("bead") = {volumes[{4:7}]};
Physical Surface("inner") = {inner_side[]};
Physical Surface("outer") = {outer_side[]};
Physical Surface("port1_face") = {ring[]};
Physical Surface("port2_face") = {face[]};
