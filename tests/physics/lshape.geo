// A cavity 2 high over the square -1 < x, y < 1 without its quarter x > 0, y < 0: one edge of 90 degrees of metal [m].
DefineConstant[ size = {0.5} ];
SetFactory("OpenCASCADE");
Box(1) = {-1, -1, 0, 2, 2, 2};
Box(2) = {0, -1, 0, 1, 1, 2};
v() = BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; };
Physical Volume("air") = {v()};
Mesh.MeshSizeMin = size; Mesh.MeshSizeMax = size;
