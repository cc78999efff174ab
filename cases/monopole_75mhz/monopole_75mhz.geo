// A quarter of a monopole over a ground plane, fed by a coaxial line from below, in a quarter of half a ball of air. Lengths in m.
SetFactory("OpenCASCADE");
DefineConstant[
  inner_radius = {0.1, Name "Coax/Inner radius, and the rod's (m)"},
  outer_radius = {0.23, Name "Coax/Outer radius (m)"},
  height = {1, Name "Monopole/Height (m)"},
  feed = {0.4, Name "Coax/Length (m)"},
  radius = {4, Name "Absorbing wall/Radius (m)"},
  near_size = {0.05, Name "Mesh/Edges in the line and at the rod (m)"},
  far_size = {0.2, Name "Mesh/Largest edge (m)"}
];
Sphere(1) = {0, 0, 0, radius, 0, Pi/2, Pi/2};
Cylinder(2) = {0, 0, -feed, 0, 0, feed, outer_radius, Pi/2};
Cylinder(3) = {0, 0, -feed, 0, 0, feed + height, inner_radius, Pi/2};
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };

e = 1e-4;
port[] = Surface In BoundingBox{-e, -e, -feed - e, outer_radius + e, outer_radius + e, -feed + e};
rod[] = Surface In BoundingBox{-e, -e, -feed - e, inner_radius + e, inner_radius + e, height + e};
x0[] = Surface In BoundingBox{-e, -e, -feed - e, e, radius + e, radius + e};
y0[] = Surface In BoundingBox{-e, -e, -feed - e, radius + e, e, radius + e};
ground[] = Surface In BoundingBox{-e, -e, -e, radius + e, radius + e, e};
tube[] = Surface In BoundingBox{-e, -e, -feed - e, outer_radius + e, outer_radius + e, e};
wall[] = Surface{:};
wall[] -= port[]; wall[] -= rod[]; wall[] -= x0[]; wall[] -= y0[]; wall[] -= ground[]; wall[] -= tube[];

Physical Volume("air") = {5};
Physical Surface("port_face") = {port[]};
Physical Surface("rod") = {rod[]};
Physical Surface("middle_x") = {x0[]};
Physical Surface("middle_y") = {y0[]};
Physical Surface("wall") = {wall[]};

Field[1] = Distance;
Field[1].SurfacesList = {rod[], tube[], port[]};
Field[1].NumPointsPerCurve = 60;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = near_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.03;
Field[2].DistMax = 0.6*radius;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
