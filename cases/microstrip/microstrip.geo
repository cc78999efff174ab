// Half of a microstrip line along z: a strip without thickness at y = height on a substrate over a ground plane, cut by
// its plane of symmetry x = 0. Lengths in mm.
//
// The cross-section is meshed by triangles, finest at the edge of the strip, and swept along z.
DefineConstant[
  width = {1.8, Name "Line/Width of the strip (mm)"},
  height = {0.8, Name "Line/Height of the substrate (mm)"},
  length = {20, Name "Line/Length (mm)"},
  side = {12, Name "Mesh/Width of the box, both halves (mm)"},
  top = {8, Name "Mesh/Height of the box (mm)"},
  edge_size = {0.15, Name "Mesh/Edges at the edge of the strip (mm)"},
  far_size = {2, Name "Mesh/Largest edge of the cross-section (mm)"},
  axial_size = {1, Name "Mesh/Largest element along z (mm)"}
];

If (width <= 0 || height <= 0 || length <= 0 || side <= 2 * width || top <= 2 * height)
  Error("the box must be more than twice as wide as the strip and as high as the substrate, and all lengths positive");
EndIf

Point(1) = {0, 0, 0};
Point(2) = {side / 2, 0, 0};
Point(3) = {0, height, 0};
Point(4) = {width / 2, height, 0};
Point(5) = {side / 2, height, 0};
Point(6) = {0, top, 0};
Point(7) = {side / 2, top, 0};
Line(1) = {1, 2};
Line(2) = {3, 4};
Line(3) = {4, 5};
Line(4) = {6, 7};
Line(5) = {1, 3};
Line(6) = {3, 6};
Line(7) = {2, 5};
Line(8) = {5, 7};
Curve Loop(1) = {1, 7, -3, -2, -5};
Curve Loop(2) = {2, 3, 8, -4, -6};
Plane Surface(1) = {1};
Plane Surface(2) = {2};

// {end, volume, sides in the order of the loop}
layers = Ceil(length / axial_size - 1e-9);
low[] = Extrude {0, 0, length} { Surface{1}; Layers{layers}; };
high[] = Extrude {0, 0, length} { Surface{2}; Layers{layers}; };

Physical Volume("substrate") = {low[1]};
Physical Volume("air") = {high[1]};
Physical Surface("ground") = {low[2]};
Physical Surface("strip") = {low[5]};
Physical Surface("middle") = {low[6], high[6]};
Physical Surface("outside") = {low[3], high[4], high[5]};
Physical Surface("port1_face") = {1, 2};
Physical Surface("port2_face") = {low[0], high[0]};

Field[1] = Distance;
Field[1].PointsList = {4};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = edge_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = edge_size;
Field[2].DistMax = 0.5 * side;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
