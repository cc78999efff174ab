// A metal sphere in a ball of air; lengths in m.
DefineConstant[
  radius = {0.5, Name "Sphere/Radius (m)"},
  outer = {1.0, Name "Absorbing wall/Radius (m)"},
  size = {0.06, Name "Mesh/Edge (m)"}
];
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, radius};
Sphere(2) = {0, 0, 0, outer};
BooleanDifference(3) = { Volume{2}; Delete; }{ Volume{1}; Delete; };
e = 1e-3;
skin[] = Surface In BoundingBox{-radius - e, -radius - e, -radius - e, radius + e, radius + e, radius + e};
wall[] = Surface{:};
wall[] -= skin[];
MeshSize{ PointsOf{ Volume{3}; } } = size;
Mesh.MeshSizeMax = size;
Physical Volume("air") = {3};
Physical Surface("sphere") = {skin[]};
Physical Surface("wall") = {wall[]};
