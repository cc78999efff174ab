// A solid strip of width w and thickness t in the middle of a metal box, a TEM resonator of half a wave along z with a gap in
// its middle, or a line from port1 to port2 [mm].
DefineConstant[ a = {20}, b = {10}, w = {8}, t = {1}, L = {50}, gap = {0}, fine = {4}, coarse = {5}, ports = {0} ];
SetFactory("OpenCASCADE");
Box(1) = {-a/2, 0, 0, a, b, L};
bar() = {2};
Box(2) = {-w/2, b/2-t/2, 0, w, t, gap > 0 ? (L-gap)/2 : L};
If (gap > 0)
  bar() += {3};
  Box(3) = {-w/2, b/2-t/2, (L+gap)/2, w, t, (L-gap)/2};
EndIf
v() = BooleanDifference{ Volume{1}; Delete; }{ Volume{bar()}; Delete; };
eps = 1e-4;
strip() = Surface In BoundingBox{-w/2-eps,b/2-t/2-eps,-eps,w/2+eps,b/2+t/2+eps,L+eps};
all() = Surface{:};
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
