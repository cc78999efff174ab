gap = 1;
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, gap};
Physical Volume("air") = {1};
