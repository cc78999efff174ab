// Half of a rectangular patch antenna over a ground plane without end, fed by a coaxial line from below; the plane of
// symmetry y = 0 cuts patch, probe and line. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  patch_length = {38, Name "Patch/Length along x, resonant (mm)"},
  patch_width = {48, Name "Patch/Width along y, both halves (mm)"},
  height = {3, Name "Patch/Height of the substrate (mm)"},
  feed_at = {8, Name "Patch/Distance of the probe from the middle (mm)"},
  substrate_length = {60, Name "Substrate/Along x (mm)"},
  substrate_width = {70, Name "Substrate/Along y, both halves (mm)"},
  inner_radius = {1, Name "Coax/Inner radius, and the probe's (mm)"},
  outer_radius = {2.3, Name "Coax/Outer radius (mm)"},
  feed = {4, Name "Coax/Length (mm)"},
  outside_radius = {80, Name "Mesh/Radius of the hemisphere (mm)"},
  near_size = {0.8, Name "Mesh/Edges in the line and at the probe (mm)"},
  edge_size = {1.2, Name "Mesh/Edges at the rim of the patch (mm)"},
  far_size = {10, Name "Mesh/Largest edge (mm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || feed <= 0 || height <= 0)
  Error("outer_radius must be larger than inner_radius, and all lengths positive");
EndIf
If (patch_length >= substrate_length || patch_width >= substrate_width || 2 * feed_at + 2 * outer_radius >= patch_length)
  Error("the substrate must be larger than the patch, and the probe under the patch");
EndIf

Sphere(1) = {0, 0, 0, outside_radius, 0, Pi / 2, Pi};
Box(2) = {-substrate_length / 2, 0, 0, substrate_length, substrate_width / 2, height};
Cylinder(3) = {feed_at, 0, -feed, 0, 0, feed, outer_radius, Pi};
Cylinder(4) = {feed_at, 0, -feed, 0, 0, feed + height, inner_radius, Pi};
BooleanDifference(11) = { Volume{1}; Delete; }{ Volume{2}; };
BooleanDifference(12) = { Volume{2}; Delete; }{ Volume{4}; };
BooleanDifference(13) = { Volume{3}; Delete; }{ Volume{4}; Delete; };
r = news;
Rectangle(r) = {-patch_length / 2, 0, height, patch_length, patch_width / 2};
BooleanFragments{ Volume{11, 12, 13}; Surface{r}; Delete; }{}

e = 1e-3;
xf = feed_at;
patch[] = Surface In BoundingBox{-patch_length / 2 - e, -e, height - e, patch_length / 2 + e, patch_width / 2 + e, height + e};
probe[] = Surface In BoundingBox{xf - inner_radius - e, -e, -feed - e, xf + inner_radius + e, inner_radius + e, height + e};
probe[] -= patch[];
port[] = Surface In BoundingBox{xf - outer_radius - e, -e, -feed - e, xf + outer_radius + e, outer_radius + e, -feed + e};
big = 2 * outside_radius;
middle[] = Surface In BoundingBox{-big, -e, -big, big, e, big};
// The hemisphere is the one surface that reaches its pole, the plane of symmetry aside.
outside[] = Surface{:};
inside[] = Surface In BoundingBox{-big, -e, -feed - e, big, big, outside_radius / 2};
outside[] -= inside[];
outside[] -= middle[];
substrate[] = Volume In BoundingBox{-substrate_length / 2 - e, -e, -e, substrate_length / 2 + e, substrate_width / 2 + e, height + e};
line[] = Volume In BoundingBox{xf - outer_radius - e, -e, -feed - e, xf + outer_radius + e, outer_radius + e, e};
air[] = Volume{:};
air[] -= substrate[];
air[] -= line[];

Physical Volume("air") = {air[]};
Physical Volume("substrate") = {substrate[]};
Physical Volume("line") = {line[]};
Physical Surface("patch") = {patch[]};
Physical Surface("probe") = {probe[]};
Physical Surface("port_face") = {port[]};
Physical Surface("middle") = {middle[]};
Physical Surface("outside") = {outside[]};

Field[1] = Distance;
Field[1].SurfacesList = {probe[]};
Field[1].NumPointsPerCurve = 40;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = near_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 1.3;
Field[2].DistMax = 30;
rim[] = Boundary{ Surface{patch[]}; };
Field[3] = Distance;
Field[3].CurvesList = {rim[]};
Field[3].NumPointsPerCurve = 40;
Field[4] = Threshold;
Field[4].InField = 3;
Field[4].SizeMin = edge_size;
Field[4].SizeMax = far_size;
Field[4].DistMin = 1;
Field[4].DistMax = 25;
Field[5] = Min;
Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
