// A WR-90 guide of 40 mm, whole, with an inductive iris in its middle: two fins of thin metal leave a window. Tetrahedra
// of one size, without regard to the fins' edges. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[ size = {4}, window = {9}, length = {40} ];
a = 22.86;
b = 10.16;
e = 1e-3;
fin = (a - window) / 2;
Box(1) = {0, 0, 0, a, b, length / 2};
Box(2) = {0, 0, length / 2, a, b, length / 2};
Rectangle(100) = {0, 0, length / 2, fin, b};
Rectangle(101) = {a - fin, 0, length / 2, fin, b};
parts() = BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{100, 101}; Delete; };
Physical Volume("guide") = Volume{:};
end1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
end2() = Surface In BoundingBox{-e, -e, length - e, a + e, b + e, length + e};
walls() = Surface In BoundingBox{-e, -e, -e, e, b + e, length + e};
walls() += Surface In BoundingBox{a - e, -e, -e, a + e, b + e, length + e};
walls() += Surface In BoundingBox{-e, -e, -e, a + e, e, length + e};
walls() += Surface In BoundingBox{-e, b - e, -e, a + e, b + e, length + e};
iris() = Surface In BoundingBox{-e, -e, length / 2 - e, fin + e, b + e, length / 2 + e};
iris() += Surface In BoundingBox{a - fin - e, -e, length / 2 - e, a + e, b + e, length / 2 + e};
Physical Surface("end1") = end1();
Physical Surface("end2") = end2();
Physical Surface("walls") = walls();
Physical Surface("iris") = iris();
Mesh.MeshSizeMax = size;
Mesh.MeshSizeMin = size;
