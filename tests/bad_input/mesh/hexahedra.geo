Point(1) = {0, 0, 0, 1};
line[] = Extrude {1, 0, 0} { Point{1}; Layers{2}; };
face[] = Extrude {0, 1, 0} { Curve{line[1]}; Layers{2}; Recombine; };
body[] = Extrude {0, 0, 1} { Surface{face[1]}; Layers{2}; Recombine; };
Physical Volume("air") = {body[1]};
