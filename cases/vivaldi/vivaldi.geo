// A single Vivaldi antenna over a ground plane without end: lengths in mm. The fins are sheets of metal on one side of a substrate, y = 0,
// with a slot of half width 0.25 exp(0.123 z) between them that begins at a hollow circle. A coaxial line comes through the ground plane
// z = 0; its inner conductor crosses the hollow and ends at the lip of the right fin.
SetFactory("OpenCASCADE");
DefineConstant[
  height = {33.3, Name "Vivaldi/Height (mm)"},
  width = {34, Name "Vivaldi/Width (mm)"},
  thickness = {1.27, Name "Vivaldi/Thickness of the substrate (mm)"},
  hollow = {2.5, Name "Vivaldi/Radius of the hollow circle (mm)"},
  hollow_z = {1.5, Name "Vivaldi/Height of its centre (mm)"},
  pin_x = {0.6, Name "Coax/Place of its axis (mm)"},
  inner_radius = {0.375, Name "Coax/Inner radius (mm)"},
  outer_radius = {0.875, Name "Coax/Outer radius (mm)"},
  feed = {4, Name "Coax/Length (mm)"},
  margin = {40, Name "Mesh/Air beside the antenna (mm)"},
  above = {50, Name "Mesh/Air above the antenna (mm)"},
  feed_size = {0.35, Name "Mesh/Edges in the line (mm)"},
  slot_size = {1.2, Name "Mesh/Edges at the slot (mm)"},
  far_size = {8, Name "Mesh/Largest edge (mm)"}
];

side = width/2 + margin;
top = height + above;
e = 1e-3;

// The slot, from within the circle to the end, and the circle: what is taken off the fins.
n = 12;
right[] = {};
left[] = {};
For k In {0 : n}
  z = hollow_z + (height + 0.5 - hollow_z) * k / n;
  p = newp; Point(p) = {0.25 * Exp(0.123 * z), 0, z}; right[] += p;
  p = newp; Point(p) = {-0.25 * Exp(0.123 * z), 0, z}; left[] += p;
EndFor
c1 = newl; Spline(c1) = {right[]};
c2 = newl; Line(c2) = {right[n], left[n]};
c3 = newl; Spline(c3) = {left[]};
c4 = newl; Line(c4) = {left[0], right[0]};
l1 = newll; Curve Loop(l1) = {c1, c2, -c3, c4};
Plane Surface(1000) = {l1};
Disk(1001) = {0, 0, 0, hollow};
Rotate {{1, 0, 0}, {0, 0, 0}, Pi / 2} { Surface{1001}; }
Translate {0, 0, hollow_z} { Surface{1001}; }
Rectangle(1002) = {-width / 2, 0, 0, width, height};
Rotate {{1, 0, 0}, {0, 0, 0}, Pi / 2} { Surface{1002}; }
sheet[] = BooleanDifference{ Surface{1002}; Delete; }{ Surface{1000, 1001}; Delete; };

Box(5) = {-side, -side, 0, 2*side, 2*side, top};
Cylinder(10) = {pin_x, 0, -feed, 0, 0, feed, outer_radius};
Cylinder(11) = {pin_x, 0, -feed, 0, 0, feed + hollow_z + hollow + 0.4, inner_radius};
Cylinder(12) = {pin_x, 0, -feed, 0, 0, feed + hollow_z + hollow + 0.4, inner_radius};
Cylinder(13) = {pin_x, 0, -feed, 0, 0, feed + hollow_z + hollow + 0.4, inner_radius};
Box(6) = {-width / 2, 0, 0, width, thickness, height};
BooleanUnion(14) = { Volume{5}; Delete; }{ Volume{10}; Delete; };
BooleanDifference(15) = { Volume{14}; Delete; }{ Volume{11}; Delete; };
BooleanDifference(16) = { Volume{6}; Delete; }{ Volume{12}; Delete; };
fins[] = BooleanDifference{ Surface{sheet[]}; Delete; }{ Volume{13}; Delete; };
BooleanFragments{ Volume{15, 16}; Delete; }{ Surface{fins[]}; Delete; }

substrate[] = Volume In BoundingBox{-width / 2 - e, -e, -e, width / 2 + e, thickness + e, height + 0.1};
air[] = Volume{:};
air[] -= substrate[];
Physical Volume("air") = {air[]};
Physical Volume("substrate") = {substrate[]};

// Both fins (bounding boxes along splines are a little too large), without the rest of the hollow beside the inner conductor.
metal[] = Surface In BoundingBox{-width / 2 - e, -e, -e, -0.2, e, height + 0.1};
metal[] += Surface In BoundingBox{0.2, -e, -e, width / 2 + e, e, height + 0.1};
rest[] = Surface In BoundingBox{0.2, -e, -e, hollow + e, e, hollow_z + hollow + 0.4};
metal[] -= rest[];
port[] = Surface In BoundingBox{pin_x - outer_radius - e, -outer_radius - e, -feed - e, pin_x + outer_radius + e, outer_radius + e, -feed + e};
outside[] = Surface In BoundingBox{-side - e, -side - e, top - e, side + e, side + e, top + e};
outside[] += Surface In BoundingBox{-side - e, -side - e, -e, -side + e, side + e, top + e};
outside[] += Surface In BoundingBox{side - e, -side - e, -e, side + e, side + e, top + e};
outside[] += Surface In BoundingBox{-side - e, -side - e, -e, side + e, -side + e, top + e};
outside[] += Surface In BoundingBox{-side - e, side - e, -e, side + e, side + e, top + e};
Physical Surface("fins") = {metal[]};
Physical Surface("port_face") = {port[]};
Physical Surface("outside") = {outside[]};

line[] = Surface In BoundingBox{pin_x - outer_radius - e, -outer_radius - e, -feed - e, pin_x + outer_radius + e, outer_radius + e, hollow_z + hollow + 1};
Field[1] = Distance;
Field[1].SurfacesList = {line[]};
Field[1].NumPointsPerCurve = 30;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = feed_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.2;
Field[2].DistMax = 30;
edges[] = Boundary{ Surface{metal[]}; };
Field[3] = Distance;
Field[3].CurvesList = {edges[]};
Field[3].NumPointsPerCurve = 60;
Field[4] = Threshold;
Field[4].InField = 3;
Field[4].SizeMin = slot_size;
Field[4].SizeMax = far_size;
Field[4].DistMin = 0.5;
Field[4].DistMax = 30;
Field[6] = Min;
Field[6].FieldsList = {2, 4};
Background Field = 6;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
