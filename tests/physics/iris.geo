// A metal sheet with a slot across a WR-90 guide [mm]: d wide over the whole height (kind 0), or d high over the whole width.
DefineConstant[ a = {22.86}, b = {10.16}, L = {15}, d = {9}, kind = {0}, fine = {3}, coarse = {4} ];
SetFactory("OpenCASCADE");
Box(1) = {-a/2, -b/2, -L, a, b, 2*L};
If (kind == 0)
  Rectangle(4001) = {-a/2, -b/2, 0, a/2 - d/2, b}; Rectangle(4002) = {d/2, -b/2, 0, a/2 - d/2, b};
Else
  Rectangle(4001) = {-a/2, -b/2, 0, a, b/2 - d/2}; Rectangle(4002) = {-a/2, d/2, 0, a, b/2 - d/2};
EndIf
f() = BooleanFragments{ Volume{1}; Delete; }{ Surface{4001, 4002}; Delete; };
eps = 1e-4;
sheet() = Surface In BoundingBox{-a/2-eps,-b/2-eps,-eps,a/2+eps,b/2+eps,eps};
p1() = Surface In BoundingBox{-a/2-eps,-b/2-eps,-L-eps,a/2+eps,b/2+eps,-L+eps};
p2() = Surface In BoundingBox{-a/2-eps,-b/2-eps,L-eps,a/2+eps,b/2+eps,L+eps};
all() = Surface In BoundingBox{-a,-b,-2*L,a,b,2*L};
all() -= sheet(); all() -= p1(); all() -= p2();
Physical Volume("air") = {Volume In BoundingBox{-a,-b,-2*L,a,b,2*L}};
Physical Surface("sheet") = {sheet()};
Physical Surface("walls") = {all()};
Physical Surface("port1") = {p1()};
Physical Surface("port2") = {p2()};
Field[1] = Distance; Field[1].SurfacesList = {sheet()};
Field[2] = Threshold; Field[2].InField = 1; Field[2].SizeMin = fine; Field[2].SizeMax = coarse; Field[2].DistMin = fine; Field[2].DistMax = 8;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0; Mesh.Algorithm3D = 1;
