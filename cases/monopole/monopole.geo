// A quarter of a monopole of a round rod over a ground plane without end, fed by a coaxial line from below. Lengths in cm.
// The rod is the inner conductor, carried on above the plane z = 0; the planes x = 0 and y = 0 are planes of symmetry.
SetFactory("OpenCASCADE");
DefineConstant[
  inner_radius = {1, Name "Coax/Inner radius, and the rod's (cm)"},
  outer_radius = {2.3, Name "Coax/Outer radius (cm)"},
  height = {10, Name "Monopole/Height (cm)"},
  feed = {4, Name "Coax/Length (cm)"},
  side = {15, Name "Mesh/Half of the width of the air (cm)"},
  top = {25, Name "Mesh/Height of the air (cm)"},
  near_size = {0.4, Name "Mesh/Edges in the line and at the rod (cm)"},
  far_size = {4, Name "Mesh/Largest edge (cm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || height <= 0 || feed <= 0 || side <= outer_radius || top <= height)
  Error("outer_radius must be larger than inner_radius, side than outer_radius, top than height, and all lengths positive");
EndIf

Box(1) = {0, 0, 0, side, side, top};
Cylinder(2) = {0, 0, -feed, 0, 0, feed, outer_radius, Pi / 2};
Cylinder(3) = {0, 0, -feed, 0, 0, feed + height, inner_radius, Pi / 2};
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };

e = 1e-3;
port[] = Surface In BoundingBox{-e, -e, -feed - e, outer_radius + e, outer_radius + e, -feed + e};
rod[] = Surface In BoundingBox{-e, -e, -feed - e, inner_radius + e, inner_radius + e, height + e};
near[] = Surface In BoundingBox{-e, -e, -feed - e, outer_radius + e, outer_radius + e, height + e};

Physical Volume("air") = {5};
Physical Surface("port_face") = {port[]};
Physical Surface("rod") = {rod[]};
Physical Surface("middle_x") = Surface In BoundingBox{-e, -e, -feed - e, e, side + e, top + e};
Physical Surface("middle_y") = Surface In BoundingBox{-e, -e, -feed - e, side + e, e, top + e};
Physical Surface("side_x") = Surface In BoundingBox{side - e, -e, -e, side + e, side + e, top + e};
Physical Surface("side_y") = Surface In BoundingBox{-e, side - e, -e, side + e, side + e, top + e};
Physical Surface("top") = Surface In BoundingBox{-e, -e, top - e, side + e, side + e, top + e};

Field[1] = Distance;
Field[1].SurfacesList = {near[]};
Field[1].NumPointsPerCurve = 60;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = near_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.3;
Field[2].DistMax = side;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
