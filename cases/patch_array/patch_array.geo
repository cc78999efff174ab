// Two by two rectangular patches on a substrate over a ground plane without end, each fed by a coaxial line from below. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  patch_length = {40, Name "Patches/Length along x, resonant (mm)"},
  patch_width = {50, Name "Patches/Width along y (mm)"},
  pitch_x = {70, Name "Patches/Distance of their middles along x (mm)"},
  pitch_y = {80, Name "Patches/Distance of their middles along y (mm)"},
  height = {3, Name "Patches/Height of the substrate (mm)"},
  feed_at = {8, Name "Patches/Distance of the probe from the middle, along x (mm)"},
  rim = {20, Name "Substrate/Beyond the patches (mm)"},
  inner_radius = {0.48, Name "Coax/Inner radius, and the probe's (mm)"},
  outer_radius = {1.5, Name "Coax/Outer radius (mm)"},
  feed = {6, Name "Coax/Length (mm)"},
  margin = {45, Name "Mesh/Air beside the substrate (mm)"},
  above = {60, Name "Mesh/Air above the substrate (mm)"},
  feed_size = {0.285, Name "Mesh/Edges in the lines and at the probes (mm)"},
  edge_size = {1.6, Name "Mesh/Edges at the rims of the patches (mm)"},
  far_size = {14, Name "Mesh/Largest edge (mm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || feed <= 0 || height <= 0)
  Error("outer_radius must be larger than inner_radius, and all lengths positive");
EndIf
If (patch_length >= pitch_x || patch_width >= pitch_y || 2 * feed_at + 2 * outer_radius >= patch_length)
  Error("the patches must lie apart, and the probes under them");
EndIf

x = (pitch_x + patch_length) / 2 + rim;
y = (pitch_y + patch_width) / 2 + rim;
Box(1) = {-x - margin, -y - margin, 0, 2 * (x + margin), 2 * (y + margin), height + above};
Box(2) = {-x, -y, 0, 2 * x, 2 * y, height};
// Ports 1 and 2 at negative y, 1 and 3 at negative x; all probes on the side of negative x of their patches.
px[] = {-1, 1, -1, 1};
py[] = {-1, -1, 1, 1};
lines[] = {};
rods[] = {};
patches[] = {};
For k In {0 : 3}
  fx[k] = px[k] * pitch_x / 2 - feed_at;
  fy[k] = py[k] * pitch_y / 2;
  Cylinder(10 + k) = {fx[k], fy[k], -feed, 0, 0, feed, outer_radius}; lines[] += 10 + k;
  Cylinder(20 + k) = {fx[k], fy[k], -feed, 0, 0, feed + height, inner_radius}; rods[] += 20 + k;
  s = news; Rectangle(s) = {px[k] * pitch_x / 2 - patch_length / 2, py[k] * pitch_y / 2 - patch_width / 2, height, patch_length, patch_width};
  patches[] += s;
EndFor
BooleanDifference(31) = { Volume{1}; Delete; }{ Volume{2}; };
BooleanDifference(32) = { Volume{2}; Delete; }{ Volume{rods[]}; };
hollow[] = BooleanDifference{ Volume{lines[]}; Delete; }{ Volume{rods[]}; Delete; };
BooleanFragments{ Volume{31, 32, hollow[]}; Surface{patches[]}; Delete; }{}

e = 1e-3;
big = 2 * (x + y + margin);
substrate[] = Volume In BoundingBox{-x - e, -y - e, -e, x + e, y + e, height + e};
feeds[] = Volume In BoundingBox{-x - e, -y - e, -feed - e, x + e, y + e, e};
air[] = Volume{:};
air[] -= substrate[];
air[] -= feeds[];
Physical Volume("air") = {air[]};
Physical Volume("substrate") = {substrate[]};
Physical Volume("feeds") = {feeds[]};
metal[] = {};
probes[] = {};
For k In {0 : 3}
  cx = px[k] * pitch_x / 2;
  cy = py[k] * pitch_y / 2;
  metal[] += Surface In BoundingBox{cx - patch_length / 2 - e, cy - patch_width / 2 - e, height - e, cx + patch_length / 2 + e, cy + patch_width / 2 + e, height + e};
  probes[] += Surface In BoundingBox{fx[k] - outer_radius - e, fy[k] - outer_radius - e, -feed - e, fx[k] + outer_radius + e, fy[k] + outer_radius + e, height + e};
  Physical Surface(Sprintf("port%g_face", k + 1)) = Surface In BoundingBox{fx[k] - outer_radius - e, fy[k] - outer_radius - e, -feed - e, fx[k] + outer_radius + e, fy[k] + outer_radius + e, -feed + e};
EndFor
probes[] -= metal[];
Physical Surface("patches") = {metal[]};
outside[] = Surface In BoundingBox{-big, -big, height + above - e, big, big, height + above + e};
For k In {-1 : 1 : 2}
  outside[] += Surface In BoundingBox{k * (x + margin) - e, -big, -e, k * (x + margin) + e, big, big};
  outside[] += Surface In BoundingBox{-big, k * (y + margin) - e, -e, big, k * (y + margin) + e, big};
EndFor
Physical Surface("outside") = {outside[]};

Field[1] = Distance;
Field[1].SurfacesList = {probes[]};
Field[1].NumPointsPerCurve = 40;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = feed_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.6;
Field[2].DistMax = 40;
rims[] = Abs(Boundary{ Surface{metal[]}; });
Field[3] = Distance;
Field[3].CurvesList = {rims[]};
Field[3].NumPointsPerCurve = 60;
Field[4] = Threshold;
Field[4].InField = 3;
Field[4].SizeMin = edge_size;
Field[4].SizeMax = far_size;
Field[4].DistMin = 1;
Field[4].DistMax = 40;
Field[5] = Min;
Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
