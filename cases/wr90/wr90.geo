// A WR-90 guide along z with a slab that fills its cross-section, between two feeds. Lengths in mm. Swept along z.
DefineConstant[
  a = {22.86, Name "Guide/Width (mm)"},
  b = {10.16, Name "Guide/Height (mm)"},
  feed = {15, Name "Guide/Length of each feed (mm)"},
  slab_length = {10, Name "Guide/Thickness of the slab (mm)"},
  cell = {3.8, Name "Mesh/Largest edge of the cells in the feeds (mm)"},
  slab_cell = {2.5, Name "Mesh/Largest length of the cells in the slab (mm)"}
];

If (a <= b || b <= 0 || feed <= 0 || slab_length <= 0 || cell <= 0 || slab_cell <= 0)
  Error("all lengths must be positive, and a larger than b");
EndIf

Point(1) = {0, 0, 0};
Point(2) = {a, 0, 0};
Point(3) = {a, b, 0};
Point(4) = {0, b, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = Ceil(a / cell - 1e-2) + 1;
Transfinite Curve {2, 4} = Ceil(b / cell - 1e-2) + 1;
Transfinite Surface {1} Alternate;

// An extruded surface gives {top, volume, sides in the order of its loop}.
lengths[] = {feed, slab_length, feed};
sizes[] = {cell, slab_cell, cell};
face = 1;
For stretch In {0:2}
  layers = Ceil(lengths[stretch] / sizes[stretch] - 1e-9);
  made[] = Extrude {0, 0, lengths[stretch]} { Surface{face}; Layers{layers}; };
  face = made[0];
  volume[stretch] = made[1];
  For k In {0:3}
    wall[4 * stretch + k] = made[2 + k];
  EndFor
EndFor

Physical Volume("feeds") = {volume[0], volume[2]};
Physical Volume("slab") = {volume[1]};
Physical Surface("walls") = {wall[]};
Physical Surface("end1") = {1};
Physical Surface("end2") = {face};
