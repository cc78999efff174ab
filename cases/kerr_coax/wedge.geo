// A wedge of a coaxial line along z between two planes of symmetry, filled but for both ends. Lengths in mm.
//
// The conductors are polygons of 360/angle * segments sides; with equal_area their vertices lie a little outside the
// circles, so that polygon and circle enclose the same area. Radially the layers grow like the radius. Swept along z.
DefineConstant[
  inner_radius = {1, Name "Coax/Inner radius (mm)"},
  outer_radius = {2, Name "Coax/Outer radius (mm)"},
  length = {40, Name "Coax/Length (mm)"},
  feed_length = {2, Name "Coax/Length of the linear medium at each end (mm)"},
  angle = {7.5, Name "Coax/Angle of the wedge (degrees)"},
  segments = {1, Name "Mesh/Segments of the wedge"},
  equal_area = {1, Name "Mesh/1: polygons of the same area as the circles; 0: vertices on the circles"},
  radial_layers = {3, Name "Mesh/Radial layers"},
  axial_size = {0.1, Name "Mesh/Largest element along z (mm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius)
  Error("outer_radius must be larger than inner_radius, and both positive");
EndIf
If (feed_length <= 0 || 2 * feed_length >= length)
  Error("feed_length must be positive and less than half the length");
EndIf
If (angle <= 0 || angle > 90 || segments < 1 || radial_layers < 1 || axial_size <= 0)
  Error("angle must be above 0 and at most 90, segments and radial_layers 1 or more, and axial_size positive");
EndIf

wedge = angle * Pi / 180;
side = wedge / segments;
swell = 1;
If (equal_area)
  swell = Sqrt(side / Sin(side));   // a polygon of n sides in a circle of radius r has the area n/2 r^2 sin(2 pi/n)
EndIf
growth = (outer_radius / inner_radius) ^ (1 / radial_layers);

// Vertices by ray and layer, and the quadrilaterals between them, each a transfinite surface of one cell.
For i In {0:segments}
  For j In {0:radial_layers}
    r = swell * inner_radius * growth ^ j;
    Point(1000 * i + j + 1) = {r * Cos(i * side), r * Sin(i * side), 0};
  EndFor
EndFor
For i In {0:segments}
  For j In {0:radial_layers - 1}
    ray[i * radial_layers + j] = newl;
    Line(ray[i * radial_layers + j]) = {1000 * i + j + 1, 1000 * i + j + 2};
  EndFor
EndFor
For i In {0:segments - 1}
  For j In {0:radial_layers}
    arc[i * (radial_layers + 1) + j] = newl;
    Line(arc[i * (radial_layers + 1) + j]) = {1000 * i + j + 1, 1000 * (i + 1) + j + 1};
  EndFor
EndFor
Transfinite Curve {ray[], arc[]} = 2;
For i In {0:segments - 1}
  For j In {0:radial_layers - 1}
    loop = newll;
    a = i * (radial_layers + 1) + j;
    Curve Loop(loop) = {ray[i * radial_layers + j], arc[a + 1], -ray[(i + 1) * radial_layers + j], -arc[a]};
    cell[i * radial_layers + j] = news;
    Plane Surface(cell[i * radial_layers + j]) = {loop};
    If ((i + j) % 2 == 0)
      Transfinite Surface {cell[i * radial_layers + j]} Left;
    Else
      Transfinite Surface {cell[i * radial_layers + j]} Right;
    EndIf
  EndFor
EndFor

// Three stretches along z. An extruded surface gives {top, volume, sides in the order of its loop}.
lengths[] = {feed_length, length - 2 * feed_length, feed_length};
face[] = cell[];
count = segments * radial_layers;
For stretch In {0:2}
  layers = Ceil(lengths[stretch] / axial_size - 1e-9);
  For k In {0:count - 1}
    made[] = Extrude {0, 0, lengths[stretch]} { Surface{face[k]}; Layers{layers}; };
    face[k] = made[0];
    volume[stretch * count + k] = made[1];
    i = Floor(k / radial_layers);
    j = k - i * radial_layers;
    If (j == 0)
      inner[stretch * segments + i] = made[5];
    EndIf
    If (j == radial_layers - 1)
      outer[stretch * segments + i] = made[3];
    EndIf
    If (i == 0)
      first[stretch * radial_layers + j] = made[2];
    EndIf
    If (i == segments - 1)
      last[stretch * radial_layers + j] = made[4];
    EndIf
  EndFor
EndFor

Physical Volume("feeds") = {volume[{0:count - 1}], volume[{2 * count:3 * count - 1}]};
Physical Volume("line") = {volume[{count:2 * count - 1}]};
Physical Surface("inner") = {inner[]};
Physical Surface("outer") = {outer[]};
Physical Surface("sides") = {first[], last[]};
Physical Surface("port1_face") = {cell[]};
Physical Surface("port2_face") = {face[]};
