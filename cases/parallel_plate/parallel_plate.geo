// A strip of a parallel-plate line along z: two plates (y = const), two planes of symmetry (x = const), and a slab
// across it. Lengths in mm. Swept along z, so that the mesh is the same in every layer.
DefineConstant[
  width = {4, Name "Guide/Width and height (mm)"},
  length = {120, Name "Guide/Length (mm)"},
  slab_begin = {95, Name "Slab/Front face (mm)"},
  slab_length = {10, Name "Slab/Thickness (mm)"},
  cell = {0.5, Name "Mesh/Edge of the cells (mm)"}
];

If (width <= 0 || slab_begin <= 0 || slab_length <= 0 || slab_begin + slab_length >= length)
  Error("the slab must lie within the length, and all lengths be positive");
EndIf
If (cell <= 0)
  Error("cell must be positive");
EndIf

Point(1) = {0, 0, 0};
Point(2) = {width, 0, 0};
Point(3) = {width, width, 0};
Point(4) = {0, width, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 2, 3, 4} = Ceil(width / cell - 1e-9) + 1;
Transfinite Surface {1} Alternate;

// An extruded surface gives {top, volume, sides in the order of its loop: y = 0, x = width, y = width, x = 0}.
lengths[] = {slab_begin, slab_length, length - slab_begin - slab_length};
face = 1;
For stretch In {0:2}
  layers = Ceil(lengths[stretch] / cell - 1e-9);
  made[] = Extrude {0, 0, lengths[stretch]} { Surface{face}; Layers{layers}; };
  face = made[0];
  volume[stretch] = made[1];
  plates[2 * stretch] = made[2];
  sides[2 * stretch] = made[3];
  plates[2 * stretch + 1] = made[4];
  sides[2 * stretch + 1] = made[5];
EndFor

Physical Volume("air") = {volume[0], volume[2]};
Physical Volume("slab") = {volume[1]};
Physical Surface("plates") = {plates[]};
Physical Surface("sides") = {sides[]};
Physical Surface("ends") = {1, face};
