// Half of a WR-90 guide along z with an inductive iris in its middle: two fins of thin metal over the full height leave a
// window. The plane of symmetry x = a/2 cuts it. Lengths in mm.
//
// The section y = 0 is meshed by triangles, finest at the rim of the window where the field is singular, and swept along
// y, in which nothing changes.
DefineConstant[
  a = {22.86, Name "Guide/Width (mm)"},
  b = {10.16, Name "Guide/Height (mm)"},
  feed = {20, Name "Guide/Length on each side (mm)"},
  window = {12, Name "Guide/Width of the window (mm)"},
  size = {1.8, Name "Mesh/Largest edge (mm)"},
  edge_size = {0.2, Name "Mesh/Edges at the rim of the window (mm)"},
  layers = {3, Name "Mesh/Layers over the height"}
];

If (window <= 0 || window >= a || b <= 0 || feed <= 0 || size <= 0 || edge_size <= 0 || layers < 1)
  Error("all lengths must be positive, the window less than a, and layers 1 or more");
EndIf

Point(1) = {0, 0, -feed};
Point(2) = {a / 2, 0, -feed};
Point(3) = {0, 0, 0};
Point(4) = {(a - window) / 2, 0, 0};
Point(5) = {a / 2, 0, 0};
Point(6) = {0, 0, feed};
Point(7) = {a / 2, 0, feed};
Line(1) = {1, 2};
Line(2) = {2, 5};
Line(3) = {5, 4};
Line(4) = {4, 3};
Line(5) = {3, 1};
Line(6) = {5, 7};
Line(7) = {7, 6};
Line(8) = {6, 3};
Curve Loop(1) = {1, 2, 3, 4, 5};
Curve Loop(2) = {6, 7, 8, -4, -3};
Plane Surface(1) = {1};
Plane Surface(2) = {2};

// {end, volume, sides in the order of the loop}
before[] = Extrude {0, b, 0} { Surface{1}; Layers{layers}; };
behind[] = Extrude {0, b, 0} { Surface{2}; Layers{layers}; };

Physical Volume("guide") = {before[1], behind[1]};
Physical Surface("walls") = {1, 2, before[0], behind[0], before[6], behind[4]};
Physical Surface("iris") = {before[5]};
Physical Surface("middle") = {before[3], behind[2]};
Physical Surface("end1") = {before[2]};
Physical Surface("end2") = {behind[3]};

Field[1] = Distance;
Field[1].PointsList = {4};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = edge_size;
Field[2].SizeMax = size;
Field[2].DistMin = edge_size;
Field[2].DistMax = 3 * size;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
