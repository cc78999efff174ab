// Half of a WR-75 filter along z: five cavities between six irises over the full height. The plane of symmetry x = a/2 cuts
// it. Lengths in mm; design.py finds those of windows and cavities.
//
// The section y = 0 is meshed by triangles, finest at the edges of the irises where the field is singular, and swept along
// y, in which nothing changes.
DefineConstant[
  a = {19.05, Name "Guide/Width (mm)"},
  b = {9.525, Name "Guide/Height (mm)"},
  feed = {12, Name "Guide/Length on each side (mm)"},
  thickness = {2, Name "Filter/Thickness of the irises (mm)"},
  window1 = {9.64, Name "Filter/First and last window (mm)"},
  window2 = {6.45, Name "Filter/Second and fifth window (mm)"},
  window3 = {5.91, Name "Filter/Inner windows (mm)"},
  cavity1 = {13.45, Name "Filter/First and last cavity (mm)"},
  cavity2 = {15.02, Name "Filter/Second and fourth cavity (mm)"},
  cavity3 = {15.18, Name "Filter/Middle cavity (mm)"},
  size = {2.5, Name "Mesh/Largest edge (mm)"},
  edge_size = {0.4, Name "Mesh/Edges at the irises (mm)"},
  layers = {2, Name "Mesh/Layers over the height"}
];

If (feed <= 0 || thickness <= 0 || size <= 0 || edge_size <= 0 || layers < 1)
  Error("all lengths must be positive, and layers 1 or more");
EndIf

windows[] = {window1, window2, window3, window3, window2, window1};
cavities[] = {cavity1, cavity2, cavity3, cavity2, cavity1, feed};

// The outline, from the first corner along the wall: up and down at each iris.
Point(1) = {0, 0, -feed};
count = 1;
z = 0;
edges[] = {};
For i In {0 : 5}
  x = (a - windows[i]) / 2;
  Point(count + 1) = {0, 0, z};
  Point(count + 2) = {x, 0, z};
  Point(count + 3) = {x, 0, z + thickness};
  Point(count + 4) = {0, 0, z + thickness};
  edges[] += {count + 2, count + 3};
  count += 4;
  z += thickness + cavities[i];
EndFor
Point(count + 1) = {0, 0, z};
Point(count + 2) = {a / 2, 0, z};
Point(count + 3) = {a / 2, 0, -feed};
count += 3;
For i In {1 : count - 1}
  Line(i) = {i, i + 1};
EndFor
Line(count) = {count, 1};
Curve Loop(1) = {1 : count};
Plane Surface(1) = {1};

// {opposite face, volume, sides in the order of the loop}
made[] = Extrude {0, b, 0} { Surface{1}; Layers{layers}; };

Physical Volume("guide") = {made[1]};
Physical Surface("walls") = {1, made[0], made[{2 : count - 2}]};
Physical Surface("end2") = {made[count - 1]};
Physical Surface("middle") = {made[count]};
Physical Surface("end1") = {made[count + 1]};

Field[1] = Distance;
Field[1].PointsList = {edges[]};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = edge_size;
Field[2].SizeMax = size;
Field[2].DistMin = edge_size;
Field[2].DistMax = 3 * size;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
