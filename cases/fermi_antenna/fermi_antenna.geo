// An antipodal Fermi antenna: two fins on the two sides of a board, radiating along x. A coaxial line comes from below through the ground of
// a microstrip line, which becomes the lower fin. Inner edges of the fins follow 1/(1 + exp(-rate (x - bend))), outer ones an ellipse
// and then the rim of the board, with a comb of slots. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  length = {140.2, Name "Board/Along x (mm)"},
  width = {44.7, Name "Board/Along y (mm)"},
  height = {0.86, Name "Board/Thickness (mm)"},
  strip = {1.5, Name "Feed/Width of the microstrip line (mm)"},
  ground = {20, Name "Feed/Width of its ground (mm)"},
  line_end = {22, Name "Feed/Place at which the fins begin (mm)"},
  feed_at = {5, Name "Coax/Place of its axis (mm)"},
  inner_radius = {0.374, Name "Coax/Inner radius (mm)"},
  outer_radius = {0.86, Name "Coax/Outer radius (mm)"},
  body_radius = {2, Name "Coax/Radius of its metal (mm)"},
  feed = {4, Name "Coax/Length (mm)"},
  opening = {13, Name "Fins/Half width of the mouth (mm)"},
  rate = {0.075, Name "Fins/Rate of the taper (1 per mm)"},
  bend = {70, Name "Fins/Place of its middle (mm)"},
  outer = {25, Name "Fins/Length of the outer ellipse (mm)"},
  slots = {20, Name "Fins/Number of slots of a comb"},
  slot_pitch = {4, Name "Fins/Distance of slots (mm)"},
  slot_width = {1.5, Name "Fins/Width of a slot (mm)"},
  slot_depth = {5, Name "Fins/Depth of a slot (mm)"},
  margin = {35, Name "Mesh/Air around the board (mm)"},
  feed_size = {0.25, Name "Mesh/Edges at the coaxial line (mm)"},
  edge_size = {0.41, Name "Mesh/Edges at rims of metal (mm)"},
  far_size = {3.45, Name "Mesh/Largest edge (mm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || body_radius <= outer_radius || feed_at <= body_radius)
  Error("outer_radius must be larger than inner_radius, body_radius than outer_radius, and feed_at than body_radius");
EndIf
half = width / 2;
If (ground >= width || line_end + outer + slots * slot_pitch >= length || opening + slot_depth >= half || slot_width >= slot_pitch)
  Error("ground, combs and mouth must fit on the board");
EndIf

// Half edges of the upper fin as points: the inner one from -strip/2 at line_end to the mouth, the outer one back.
n = 40;
f0 = 1 / (1 + Exp(-rate * (line_end - bend)));
f1 = 1 / (1 + Exp(-rate * (length - bend)));
sheets[] = {};
For side In {0 : 1}
  sign = 1 - 2 * side;
  z = (1 - side) * height;
  inner_points[] = {};
  For k In {0 : n}
    x = line_end + (length - line_end) * k / n;
    y = -strip / 2 + (opening + strip / 2) * (1 / (1 + Exp(-rate * (x - bend))) - f0) / (f1 - f0);
    p = newp; Point(p) = {x, sign * y, z}; inner_points[] += p;
  EndFor
  outer_points[] = {};
  For k In {0 : 16}
    a = Pi / 2 * k / 16;
    p = newp; Point(p) = {line_end + outer * Sin(a), sign * (half - (half - strip / 2) * Cos(a)), z}; outer_points[] += p;
  EndFor
  corner = newp; Point(corner) = {length, sign * half, z};
  c1 = newl; Spline(c1) = {inner_points[]};
  c2 = newl; Line(c2) = {inner_points[n], corner};
  c3 = newl; Line(c3) = {corner, outer_points[16]};
  c4 = newl; Spline(c4) = {outer_points[]};
  c5 = newl; Line(c5) = {outer_points[0], inner_points[0]};
  loop = newll; Curve Loop(loop) = {c1, c2, c3, -c4, c5};
  Plane Surface(1000 + side) = {loop};
  cuts[] = {};
  For k In {1 : slots}
    s = 1100 + 100 * side + k;
    Rectangle(s) = {length - k * slot_pitch, sign * (half - slot_depth / 2) - slot_depth / 2, z, slot_width, slot_depth};
    cuts[] += s;
  EndFor
  If (slots > 0)
    fin[] = BooleanDifference{ Surface{1000 + side}; Delete; }{ Surface{cuts[]}; Delete; };
    sheets[] += fin[];
  Else
    sheets[] += 1000 + side;
  EndIf
EndFor
// The strip, and its ground, which narrows to the lower fin.
Rectangle(1002) = {feed_at - strip / 2, -strip / 2, height, line_end - feed_at + strip / 2, strip};
p = newp; Point(p) = {0, -ground / 2, 0}; Point(p + 1) = {0.4 * line_end, -ground / 2, 0}; Point(p + 2) = {line_end, -strip / 2, 0};
Point(p + 3) = {line_end, strip / 2, 0}; Point(p + 4) = {0.4 * line_end, ground / 2, 0}; Point(p + 5) = {0, ground / 2, 0};
l = newl;
For k In {0 : 5}
  Line(l + k) = {p + k, p + (k + 1) % 6};
EndFor
loop = newll; Curve Loop(loop) = {l : l + 5};
Plane Surface(1003) = {loop};
Disk(1004) = {feed_at, 0, 0, outer_radius};
plane[] = BooleanDifference{ Surface{1003}; Delete; }{ Surface{1004}; Delete; };

Box(1) = {-margin, -half - margin, -margin, length + 2 * margin, width + 2 * margin, height + 2 * margin};
Box(2) = {0, -half, 0, length, width, height};
Cylinder(3) = {feed_at, 0, -feed - 1, 0, 0, feed + 1, body_radius};
Cylinder(4) = {feed_at, 0, -feed, 0, 0, feed, outer_radius};
Cylinder(5) = {feed_at, 0, -feed, 0, 0, feed + height, inner_radius};
BooleanDifference(11) = { Volume{1}; Delete; }{ Volume{2, 3}; };
BooleanDifference(12) = { Volume{2}; Delete; }{ Volume{5}; };
BooleanDifference(13) = { Volume{4}; Delete; }{ Volume{5}; };
Recursive Delete { Volume{3, 5}; }
BooleanFragments{ Volume{11, 12, 13}; Delete; }{ Surface{sheets[], plane[], 1002}; Delete; }

e = 1e-3;
t = 0.2; // bounding boxes along splines are a little too large
board[] = Volume In BoundingBox{-e, -half - e, -e, length + e, half + e, height + e};
line[] = Volume In BoundingBox{feed_at - outer_radius - e, -outer_radius - e, -feed - e, feed_at + outer_radius + e, outer_radius + e, e};
air[] = Volume{:};
air[] -= board[];
air[] -= line[];
Physical Volume("air") = {air[]};
Physical Volume("board") = {board[]};
Physical Volume("line") = {line[]};
metal[] = Surface In BoundingBox{feed_at - strip / 2 - e, -strip / 2 - e, height - e, line_end + e, strip / 2 + e, height + e};
metal[] += Surface In BoundingBox{-e, -ground / 2 - e, -e, line_end + e, ground / 2 + e, e};
For side In {0 : 1}
  sign = 1 - 2 * side;
  z = (1 - side) * height;
  y = sign * (half - strip / 2) / 2;
  metal[] += Surface In BoundingBox{line_end - t, y - (half + strip / 2) / 2 - t, z - e, length + t, y + (half + strip / 2) / 2 + t, z + e};
  For k In {1 : slots}
    y = sign * (half - slot_depth / 2);
    x = length - k * slot_pitch;
    slot[] = Surface In BoundingBox{x - e, y - slot_depth / 2 - e, z - e, x + slot_width + e, y + slot_depth / 2 + e, z + e};
    metal[] -= slot[];
  EndFor
EndFor
mouth[] = Surface In BoundingBox{feed_at - outer_radius - e, -outer_radius - e, -e, feed_at + outer_radius + e, outer_radius + e, e};
metal[] -= mouth[];
metal[] = Unique(metal[]);
Physical Surface("metal") = {metal[]};
port[] = Surface In BoundingBox{feed_at - outer_radius - e, -outer_radius - e, -feed - e, feed_at + outer_radius + e, outer_radius + e, -feed + e};
Physical Surface("port_face") = {port[]};
low[] = {-margin, -half - margin, -margin};
high[] = {length + margin, half + margin, height + margin};
outside[] = {};
For axis In {0 : 2}
  For end In {0 : 1}
    a[] = low[];
    b[] = high[];
    If (end == 0)
      b[axis] = low[axis];
    Else
      a[axis] = high[axis];
    EndIf
    outside[] += Surface In BoundingBox{a[0] - e, a[1] - e, a[2] - e, b[0] + e, b[1] + e, b[2] + e};
  EndFor
EndFor
Physical Surface("outside") = {outside[]};

rims[] = Unique(Abs(Boundary{ Surface{metal[]}; }));
Field[1] = Distance;
Field[1].CurvesList = {rims[]};
Field[1].NumPointsPerCurve = 80;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = edge_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.5;
Field[2].DistMax = 20;
feed_faces[] = Surface In BoundingBox{feed_at - outer_radius - e, -outer_radius - e, -feed - e, feed_at + outer_radius + e, outer_radius + e, height + e};
Field[3] = Distance;
Field[3].SurfacesList = {feed_faces[]};
Field[3].NumPointsPerCurve = 30;
Field[4] = Threshold;
Field[4].InField = 3;
Field[4].SizeMin = feed_size;
Field[4].SizeMax = far_size;
Field[4].DistMin = 0.3;
Field[4].DistMax = 15;
Field[5] = Min;
Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
