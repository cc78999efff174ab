// A quarter (x > 0, y > 0) or a half (y > 0) of a metal ogive about the z axis in a layer of air of even width. In mm.
DefineConstant[
  length = {127, Name "Ogive/Half-length (mm), 5 inches"},
  radius = {25.4, Name "Ogive/Largest radius (mm), 1 inch"},
  gap = {30, Name "Air/Width (mm)"},
  half = {0, Name "Air/A half (1) instead of a quarter (0)"},
  size = {15, Name "Mesh/Edge (mm)"},
  size_tip = {4, Name "Mesh/Edge at its tips (mm)"},
  size_outer = {size, Name "Mesh/Edge at the end of the mesh (mm)"}   // of the paper's sizes: a fine S about a coarse S'
];

SetFactory("OpenCASCADE");
// An arc through both tips, turned about the chord: its half-angle at the tips is t, its radius r, its middle beyond the axis.
r = (length^2 + radius^2) / (2 * radius);
s = length / r;
c = (r - radius) / r;
Point(1) = {radius - r, 0, 0};
Point(2) = {0, 0, -length};
Point(3) = {0, 0, length};
Point(4) = {0, 0, length + gap};
Point(5) = {gap * c, 0, length + gap * s};
Point(6) = {gap * c, 0, -length - gap * s};
Point(7) = {0, 0, -length - gap};
Circle(1) = {2, 1, 3};
Line(2) = {3, 4};
Circle(3) = {4, 3, 5};
Circle(4) = {5, 1, 6};
Circle(5) = {6, 2, 7};
Line(6) = {7, 2};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};
Extrude{ {0, 0, 1}, {0, 0, 0}, half ? Pi : Pi/2 } { Surface{1}; }

e = 1e-3;
b = radius + gap + e;
l = length + gap + e;
skin() = Surface In BoundingBox{-radius-e, -e, -length-e, radius+e, radius+e, length+e};
y0() = Surface In BoundingBox{-b, -e, -l, b, e, l};
x0() = Surface In BoundingBox{-e, -b, -l, e, b, l};
outer() = Surface{:};
outer() -= skin();
outer() -= y0();
outer() -= x0();

MeshSize{ PointsOf{ Volume{:}; } } = size;
Field[1] = Distance;
Field[1].NodesList = {2, 3};
Field[2] = Threshold;
Field[2].IField = 1;
Field[2].LcMin = size_tip;
Field[2].LcMax = size;
Field[2].DistMin = size_tip;
Field[2].DistMax = length / 2;
Background Field = 2;
If (size_outer < size)
  Field[3] = Distance;
  Field[3].FacesList = {outer()};
  Field[4] = Threshold;
  Field[4].IField = 3;
  Field[4].LcMin = size_outer;
  Field[4].LcMax = size;
  Field[4].DistMin = size_outer;
  Field[4].DistMax = gap;
  Field[5] = Min;
  Field[5].FieldsList = {2, 4};
  Background Field = 5;
EndIf
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;

Physical Volume("air") = {Volume{:}};
Physical Surface("skin") = {skin()};
Physical Surface("y0") = {y0()};
If (!half)
  Physical Surface("x0") = {x0()};
EndIf
Physical Surface("outer") = {outer()};
