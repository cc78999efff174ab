// A ball of air, its elements smaller towards the centre. Lengths in mm.
DefineConstant[
  outer = {225, Name "Ball/Radius (mm)"},
  size = {50, Name "Mesh/Edge (mm)"},
  size_centre = {15, Name "Mesh/Edge at the centre (mm)"}
];

SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, outer};
Point(100) = {0, 0, 0, size_centre};
Point{100} In Volume{1};
MeshSize{ PointsOf{ Surface{:}; } } = size;
Physical Volume("air") = {1};
Physical Surface("wall") = {Abs(Boundary{ Volume{1}; })};
