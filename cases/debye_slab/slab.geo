// A strip of a parallel-plate line along z with a slab across it, between two feeds: two plates (y = const), two planes of
// symmetry (x = const), an end each. Lengths in mm. Swept along z, so that the mesh is the same in every layer.
DefineConstant[
  feed = {10, Name "Strip/Length of each feed (mm)"},
  slab_length = {20, Name "Strip/Thickness of the slab (mm)"},
  cell = {2, Name "Mesh/Edge of the cells in the slab (mm)"},
  feed_cell = {2.5, Name "Mesh/Largest length of the cells in the feeds (mm)"},
  across = {2, Name "Mesh/Cells across the strip, which is as wide and high as they are together"}
];

If (feed <= 0 || slab_length <= 0 || cell <= 0 || feed_cell <= 0 || across < 1)
  Error("all lengths must be positive, and across 1 or more");
EndIf

side = across * cell;
Point(1) = {0, 0, 0};
Point(2) = {side, 0, 0};
Point(3) = {side, side, 0};
Point(4) = {0, side, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 2, 3, 4} = across + 1;
Transfinite Surface {1} Alternate;

// An extruded surface gives {top, volume, sides in the order of its loop: y = 0, x = side, y = side, x = 0}.
lengths[] = {feed, slab_length, feed};
sizes[] = {feed_cell, cell, feed_cell};
face = 1;
For stretch In {0:2}
  layers = Ceil(lengths[stretch] / sizes[stretch] - 1e-9);
  made[] = Extrude {0, 0, lengths[stretch]} { Surface{face}; Layers{layers}; };
  face = made[0];
  volume[stretch] = made[1];
  lower[stretch] = made[2];
  upper[stretch] = made[4];
  sides[2 * stretch] = made[3];
  sides[2 * stretch + 1] = made[5];
EndFor

Physical Volume("feeds") = {volume[0], volume[2]};
Physical Volume("slab") = {volume[1]};
Physical Surface("lower_plate") = {lower[]};
Physical Surface("upper_plate") = {upper[]};
Physical Surface("sides") = {sides[]};
Physical Surface("front") = {1};
Physical Surface("back") = {face};
