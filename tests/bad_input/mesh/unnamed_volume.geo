SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {2, 0, 0, 1, 1, 1};
Mesh.MeshSizeMax = 1;
Physical Volume("air") = {1};
