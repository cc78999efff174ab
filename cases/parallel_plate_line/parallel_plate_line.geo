// Two plates with a substrate between them, fed by two coaxial lines from below, whose inner conductors end at the upper plate.
// Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  length = {40, Name "Plates/Length along x (mm)"},
  width = {10, Name "Plates/Width along y (mm)"},
  height = {1.5, Name "Plates/Distance (mm)"},
  feed_at = {5, Name "Coax/Distance of the axes from the ends (mm)"},
  inner_radius = {0.63, Name "Coax/Inner radius (mm)"},
  outer_radius = {2, Name "Coax/Outer radius (mm)"},
  feed = {5, Name "Coax/Length (mm)"},
  size = {0.5, Name "Mesh/Largest edge (mm)"},
  feed_size = {0.35, Name "Mesh/Edges at the inner conductors (mm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || feed <= 0 || height <= 0)
  Error("outer_radius must be larger than inner_radius, and all lengths positive");
EndIf
If (feed_at <= outer_radius || 2 * feed_at + 2 * outer_radius >= length || 2 * outer_radius >= width)
  Error("the mouths of the lines must lie under the plates, apart from each other");
EndIf

Box(1) = {0, -width / 2, 0, length, width, height};
at[] = {feed_at, length - feed_at};
For k In {0 : 1}
  Cylinder(10 + k) = {at[k], 0, -feed, 0, 0, feed, outer_radius};
  Cylinder(20 + k) = {at[k], 0, -feed, 0, 0, feed + height, inner_radius};
EndFor
BooleanFragments{ Volume{1, 10, 11}; Delete; }{}
BooleanDifference{ Volume{1, 10, 11}; Delete; }{ Volume{20, 21}; Delete; }

e = 1e-3;
substrate[] = Volume In BoundingBox{-e, -width, -e, length + e, width, height + e};
feeds[] = Volume{:};
feeds[] -= substrate[];
Physical Volume("substrate") = {substrate[]};
Physical Volume("feeds") = {feeds[]};
For k In {0 : 1}
  Physical Surface(Sprintf("port%g_face", k + 1)) = Surface In BoundingBox{at[k] - outer_radius - e, -outer_radius - e, -feed - e, at[k] + outer_radius + e, outer_radius + e, -feed + e};
EndFor
sides[] = Surface In BoundingBox{-e, -width, -e, e, width, height + e};
sides[] += Surface In BoundingBox{length - e, -width, -e, length + e, width, height + e};
sides[] += Surface In BoundingBox{-e, -width / 2 - e, -e, length + e, -width / 2 + e, height + e};
sides[] += Surface In BoundingBox{-e, width / 2 - e, -e, length + e, width / 2 + e, height + e};
Physical Surface("sides") = {sides[]};

posts[] = {};
For k In {0 : 1}
  posts[] += Surface In BoundingBox{at[k] - inner_radius - e, -inner_radius - e, -feed - e, at[k] + inner_radius + e, inner_radius + e, height + e};
EndFor
Field[1] = Distance;
Field[1].SurfacesList = {posts[]};
Field[1].NumPointsPerCurve = 40;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = feed_size;
Field[2].SizeMax = size;
Field[2].DistMin = 0.5;
Field[2].DistMax = 4;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
