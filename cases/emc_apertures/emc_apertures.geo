// A metal enclosure with rows of apertures in one wall, fed by a coaxial line whose conductor ends in a resistor. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  columns = {4, Name "Apertures/Columns"},
  rows = {2, Name "Apertures/Rows"},
  long = {50, Name "Apertures/Width (mm)"},
  high = {20, Name "Apertures/Height (mm)"},
  size = {40, Name "Mesh/Largest edge (mm)"},
  size_rod = {4, Name "Mesh/Edge at the rod (mm)"}
];
width = 500; length = 400; height = 200;       // as in the text
feed_x = 150; feed_y = 130; inner = 2; outer = 4.6; line = 10; gap = 4;
air = 200;                                     // outside of the wall x = width

Box(1) = {0, 0, 0, width, length, height};
Cylinder(2) = {feed_x, feed_y, -line, 0, 0, line, outer};
Cylinder(3) = {feed_x, feed_y, -line, 0, 0, line + height - gap, inner};
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };
Rectangle(1001) = {feed_x - inner, -gap/2, 0, 2*inner, gap};       // the resistor, to be turned upright
Rotate{ {1, 0, 0}, {feed_x, 0, 0}, Pi/2 }{ Surface{1001}; }
Translate{0, feed_y, height - gap/2}{ Surface{1001}; }
holes[] = {};
For column In {0:columns - 1}
  For row In {0:rows - 1}
    hole = 2001 + column*rows + row;
    Rectangle(hole) = {-long/2, -high/2, 0, long, high};
    Rotate{ {0, 0, 1}, {0, 0, 0}, Pi/2 }{ Surface{hole}; }
    Rotate{ {0, 1, 0}, {0, 0, 0}, Pi/2 }{ Surface{hole}; }
    Translate{width, length*(column + 0.5)/columns, height*(row + 0.5)/rows}{ Surface{hole}; }
    holes[] += hole;
  EndFor
EndFor
Box(6) = {width, -air/2, -air/2, air, length + air, height + air};
BooleanFragments{ Volume{5, 6}; Delete; }{ Surface{1001, holes[]}; Delete; }

e = 1e-3;
inside[] = Volume In BoundingBox{-e, -e, -line - e, width + e, length + e, height + e};
outside[] = Volume{:}; outside[] -= inside[];
wall[] = Surface In BoundingBox{width - e, -e, -e, width + e, length + e, height + e};
rims[] = {};
For column In {0:columns - 1}
  For row In {0:rows - 1}
    y = length*(column + 0.5)/columns; z = height*(row + 0.5)/rows;
    hole[] = Surface In BoundingBox{width - e, y - long/2 - e, z - high/2 - e, width + e, y + long/2 + e, z + high/2 + e};
    wall[] -= hole[];
    rims[] += Point In BoundingBox{width - e, y - long/2 - e, z - high/2 - e, width + e, y + long/2 + e, z + high/2 + e};
  EndFor
EndFor
ground[] = Surface In BoundingBox{width - e, -air, -air, width + e, length + air, height + air};
open[] = Surface In BoundingBox{width - e, -air, -air, width + air + e, length + air, height + air};
open[] -= ground[];
Physical Volume("inside") = {inside[]};
Physical Volume("outside") = {outside[]};
Physical Surface("port") = Surface In BoundingBox{feed_x - outer - e, feed_y - outer - e, -line - e, feed_x + outer + e, feed_y + outer + e, -line + e};
Physical Surface("resistor") = Surface In BoundingBox{feed_x - inner - e, feed_y - e, height - gap - e, feed_x + inner + e, feed_y + e, height + e};
Physical Surface("wall") = {wall[]};             // of both sides
Physical Surface("open") = {open[]};

MeshSize{ PointsOf{ Volume{:}; } } = size;
rod[] = Point In BoundingBox{feed_x - outer - e, feed_y - outer - e, -line - e, feed_x + outer + e, feed_y + outer + e, height + e};
MeshSize{ rod[] } = size_rod;
MeshSize{ rims[] } = high;
Mesh.MeshSizeMax = size;
