// A quarter of a sphere (x > 0, y > 0) with the total field round it and the scattered field beyond. Lengths in mm.
DefineConstant[
  a = {47.7134516, Name "Sphere/Radius (mm); k a is the frequency in GHz"},
  border = {65, Name "Border of the total field/Radius (mm)"},
  outer = {200, Name "Absorbing wall/Radius (mm)"},
  size = {28, Name "Mesh/Edge at the absorbing wall (mm)"},
  size_border = {12, Name "Mesh/Edge at the border of the total field (mm)"},
  size_sphere = {9, Name "Mesh/Edge at the sphere (mm)"},
  metal = {1, Name "Sphere/Of metal (1), or a region of its own (0)"}
];

SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, a, -Pi/2, Pi/2, Pi/2};
Sphere(2) = {0, 0, 0, border, -Pi/2, Pi/2, Pi/2};
Sphere(3) = {0, 0, 0, outer, -Pi/2, Pi/2, Pi/2};
BooleanFragments{ Volume{1, 2, 3}; Delete; }{}

e = 1e-3;
inside() = Volume In BoundingBox{-e, -e, -a-e, a+e, a+e, a+e};
total() = Volume In BoundingBox{-e, -e, -border-e, border+e, border+e, border+e};
total() -= inside();
scattered() = Volume{:};
scattered() -= inside();
scattered() -= total();
skin() = Surface In BoundingBox{-e, -e, -a-e, a+e, a+e, a+e};
x0() = Surface In BoundingBox{-e, -outer-e, -outer-e, e, outer+e, outer+e};
y0() = Surface In BoundingBox{-outer-e, -e, -outer-e, outer+e, e, outer+e};
skin() -= x0();
skin() -= y0();
wall() = Surface{:};
near() = Surface In BoundingBox{-e, -e, -border-e, border+e, border+e, border+e};
wall() -= near();
wall() -= x0();
wall() -= y0();

MeshSize{ PointsOf{ Volume{:}; } } = size;
MeshSize{ PointsOf{ Volume{total()}; } } = size_border;
MeshSize{ PointsOf{ Surface{skin()}; } } = size_sphere;
Mesh.MeshSizeExtendFromBoundary = 1;

If (metal)
  Delete{ Volume{inside()}; }
  flat_x() = Surface In BoundingBox{-e, -e, -a-e, e, a+e, a+e};
  flat_y() = Surface In BoundingBox{-e, -e, -a-e, a+e, e, a+e};
  x0() -= flat_x();
  y0() -= flat_y();
  Delete{ Surface{flat_x(), flat_y()}; }
  Physical Surface("sphere") = {skin()};
Else
  Physical Volume("sphere") = {inside()};
EndIf
Physical Volume("total") = {total()};
Physical Volume("scattered") = {scattered()};
Physical Surface("x0") = {x0()};
Physical Surface("y0") = {y0()};
Physical Surface("wall") = {wall()};
