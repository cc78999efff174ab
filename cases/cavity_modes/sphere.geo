// A ball of air. Lengths in mm.
DefineConstant[
  radius = {50, Name "Ball/Radius (mm)"},
  size = {16, Name "Mesh/Edge (mm)"}
];

SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, radius};
MeshSize{ PointsOf{ Volume{:}; } } = size;
Mesh.MeshSizeMin = size;
Mesh.MeshSizeMax = size;
Physical Volume("air") = {1};
Physical Surface("wall") = {Surface{:}};
