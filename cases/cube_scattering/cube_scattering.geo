// A metal cube in a cube of air; lengths in m.
DefineConstant[
  side = {1, Name "Cube/Side (m)"},
  outer = {2.3, Name "Absorbing wall/Side (m)"},
  size = {0.0493, Name "Mesh/Edge (m)"}
];
SetFactory("OpenCASCADE");
Box(1) = {-side/2, -side/2, -side/2, side, side, side};
Box(2) = {-outer/2, -outer/2, -outer/2, outer, outer, outer};
BooleanDifference(3) = { Volume{2}; Delete; }{ Volume{1}; Delete; };
e = 1e-3;
skin[] = Surface In BoundingBox{-side/2 - e, -side/2 - e, -side/2 - e, side/2 + e, side/2 + e, side/2 + e};
wall[] = Surface{:};
wall[] -= skin[];
MeshSize{ PointsOf{ Volume{3}; } } = size;
Mesh.MeshSizeMax = size;
Physical Volume("air") = {3};
Physical Surface("cube") = {skin[]};
Physical Surface("wall") = {wall[]};
