// A box whose elements grow from one corner to the opposite ones, and are left as the first triangulation makes them.
// Lengths in mm.
DefineConstant[
  a = {30, Name "Box/Along x (mm)"},
  b = {20, Name "Box/Along y (mm)"},
  d = {40, Name "Box/Along z (mm)"},
  fine = {0.5, Name "Mesh/Edge at the fine corner (mm)"},
  coarse = {5, Name "Mesh/Edge elsewhere (mm)"},
  improve = {0, Name "Mesh/Improve the elements (0 or 1)"}
];

If (fine <= 0 || coarse < fine)
  Error("fine must be positive, and coarse not below it");
EndIf

SetFactory("Built-in");
Point(1) = {0, 0, 0, fine};
Point(2) = {a, 0, 0, coarse};
Point(3) = {a, b, 0, coarse};
Point(4) = {0, b, 0, coarse};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
made[] = Extrude {0, 0, d} { Surface{1}; };
MeshSize {PointsOf{Surface{made[0]};}} = coarse;
Mesh.Optimize = improve;
Mesh.OptimizeNetgen = 0;

Physical Volume("air") = {made[1]};
Physical Surface("walls") = {1, made[0], made[2], made[3], made[4], made[5]};
