// A strip of width w in the middle of a metal box, a TEM resonator of half a wave along z, or a line from port1 to port2 [mm].
DefineConstant[ a = {20}, b = {10}, w = {8}, L = {50}, fine = {4}, coarse = {5}, ports = {0} ];
SetFactory("OpenCASCADE");
Box(1) = {-a/2, 0, 0, a, b, L};
Point(1001) = {-w/2, b/2, 0}; Point(1002) = {w/2, b/2, 0}; Point(1003) = {w/2, b/2, L}; Point(1004) = {-w/2, b/2, L};
Line(2001) = {1001,1002}; Line(2002) = {1002,1003}; Line(2003) = {1003,1004}; Line(2004) = {1004,1001};
Curve Loop(3001) = {2001:2004}; Plane Surface(4001) = {3001};
f() = BooleanFragments{ Volume{1}; Delete; }{ Surface{4001}; Delete; };
eps = 1e-4;
strip() = Surface In BoundingBox{-w/2-eps,b/2-eps,-eps,w/2+eps,b/2+eps,L+eps};
v() = Volume In BoundingBox{-a,-1,-1,a,b+1,L+1};
all() = Surface In BoundingBox{-a,-1,-1,a,b+1,L+1};
all() -= strip();
If (ports)
  port1() = Surface In BoundingBox{-a,-1,-eps,a,b+1,eps};
  port2() = Surface In BoundingBox{-a,-1,L-eps,a,b+1,L+eps};
  all() -= port1(); all() -= port2();
  Physical Surface("port1") = {port1()};
  Physical Surface("port2") = {port2()};
EndIf
Physical Volume("air") = {v()};
Physical Surface("strip") = {strip()};
Physical Surface("walls") = {all()};
Field[1] = Distance; Field[1].SurfacesList = {strip()};
Field[2] = Threshold; Field[2].InField = 1; Field[2].SizeMin = fine; Field[2].SizeMax = coarse; Field[2].DistMin = fine; Field[2].DistMax = 8;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
