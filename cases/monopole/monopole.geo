// A monopole of a round rod over a ground plane without end, fed by a coaxial line from below. Lengths in cm. The rod is
// the inner conductor, carried on above the plane z = 0; a hemisphere ends the mesh.
SetFactory("OpenCASCADE");
DefineConstant[
  inner_radius = {1, Name "Coax/Inner radius, and the rod's (cm)"},
  outer_radius = {2.3, Name "Coax/Outer radius (cm)"},
  height = {10, Name "Monopole/Height (cm)"},
  feed = {4, Name "Coax/Length (cm)"},
  outside_radius = {30, Name "Mesh/Radius of the hemisphere (cm)"},
  near_size = {0.7, Name "Mesh/Edges in the line and at the rod (cm)"},
  far_size = {4, Name "Mesh/Largest edge (cm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || height <= 0 || feed <= 0 || outside_radius <= height)
  Error("outer_radius must be larger than inner_radius, outside_radius than height, and all lengths positive");
EndIf

Sphere(1) = {0, 0, 0, outside_radius, 0, Pi / 2, 2 * Pi};
Cylinder(2) = {0, 0, -feed, 0, 0, feed, outer_radius};
Cylinder(3) = {0, 0, -feed, 0, 0, feed + height, inner_radius};
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };

e = 1e-3;
port[] = Surface In BoundingBox{-outer_radius - e, -outer_radius - e, -feed - e, outer_radius + e, outer_radius + e, -feed + e};
// The hemisphere is the one surface that reaches its pole.
all[] = Boundary{ Volume{5}; };
inside[] = Surface In BoundingBox{-2 * outside_radius, -2 * outside_radius, -feed - e, 2 * outside_radius, 2 * outside_radius, outside_radius / 2};
near[] = Surface In BoundingBox{-outer_radius - e, -outer_radius - e, -feed - e, outer_radius + e, outer_radius + e, height + e};
outside[] = all[];
outside[] -= inside[];

Physical Volume("air") = {5};
Physical Surface("port_face") = {port[]};
Physical Surface("outside") = {outside[]};

Field[1] = Distance;
Field[1].SurfacesList = {near[]};
Field[1].NumPointsPerCurve = 60;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = near_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.3;
Field[2].DistMax = outside_radius * 0.7;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
