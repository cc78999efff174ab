// A post of ceramic beside the middle of a WR-62 guide, in mm.
SetFactory("OpenCASCADE");
a = 15.8; b = 7.9; L = 42;
Box(1) = {0, 0, 0, a, b, L};
Cylinder(2) = {5.3, 0, 19, 0, 6.1, 0, 2.2};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
Physical Volume("post") = {2};
Physical Volume("air") = {3};
p1() = Surface In BoundingBox{-0.1,-0.1,-0.1, a+0.1,b+0.1,0.1};
p2() = Surface In BoundingBox{-0.1,-0.1,L-0.1, a+0.1,b+0.1,L+0.1};
Physical Surface("in") = {p1()};
Physical Surface("out") = {p2()};
Mesh.MeshSizeMax = 4.5;
