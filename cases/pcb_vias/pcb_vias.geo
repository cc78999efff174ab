// A signal via between two ground vias through three layers of a printed circuit board: four planes of metal, coaxial lines to both ends
// of the signal via. The outer planes lie on the walls of the mesh, the inner ones are sheets with a clearance hole around the signal
// via; the ground vias join all planes. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  length = {30, Name "Board/Along x (mm)"},
  width = {20, Name "Board/Along y (mm)"},
  layer = {1, Name "Board/Thickness of each of the three layers (mm)"},
  via_radius = {0.4, Name "Vias/Radius (mm)"},
  clearance = {1, Name "Vias/Radius of the holes in the planes (mm)"},
  pitch = {3, Name "Vias/Distance of the ground vias from the signal via (mm)"},
  feed = {3, Name "Coax/Length (mm)"},
  size = {0.47, Name "Mesh/Largest edge (mm)"},
  via_size = {0.27, Name "Mesh/Edges at the vias (mm)"}
];

If (via_radius <= 0 || clearance <= via_radius || layer <= 0 || feed <= 0)
  Error("clearance must be larger than via_radius, and all lengths positive");
EndIf
If (pitch <= clearance + via_radius || pitch + via_radius >= length / 2 || clearance >= width / 2)
  Error("the ground vias must lie between the hole of the signal via and the rim of the board");
EndIf

height = 3 * layer;
Box(1) = {-length / 2, -width / 2, 0, length, width, height};
Cylinder(2) = {0, 0, -feed, 0, 0, feed, clearance};
Cylinder(3) = {0, 0, height, 0, 0, feed, clearance};
Cylinder(4) = {0, 0, -feed, 0, 0, height + 2 * feed, via_radius};
Cylinder(5) = {-pitch, 0, 0, 0, 0, height, via_radius};
Cylinder(6) = {pitch, 0, 0, 0, 0, height, via_radius};
BooleanDifference(11) = { Volume{1}; Delete; }{ Volume{4, 5, 6}; };
BooleanDifference(12) = { Volume{2}; Delete; }{ Volume{4}; };
BooleanDifference(13) = { Volume{3}; Delete; }{ Volume{4}; };
planes[] = {};
For k In {1 : 2}
  Rectangle(1000 + k) = {-length / 2, -width / 2, k * layer, length, width};
  Disk(1010 + k) = {0, 0, k * layer, clearance};
  Disk(1020 + k) = {-pitch, 0, k * layer, via_radius};
  Disk(1030 + k) = {pitch, 0, k * layer, via_radius};
  planes[] += BooleanDifference{ Surface{1000 + k}; Delete; }{ Surface{1010 + k, 1020 + k, 1030 + k}; Delete; };
EndFor
Recursive Delete { Volume{4, 5, 6}; }
BooleanFragments{ Volume{11, 12, 13}; Delete; }{ Surface{planes[]}; Delete; }

e = 1e-3;
board[] = Volume In BoundingBox{-length, -width, -e, length, width, height + e};
feeds[] = Volume{:};
feeds[] -= board[];
Physical Volume("board") = {board[]};
Physical Volume("feeds") = {feeds[]};
inner[] = {};
For k In {1 : 2}
  plane[] = Surface In BoundingBox{-length, -width, k * layer - e, length, width, k * layer + e};
  hole[] = Surface In BoundingBox{-clearance - e, -clearance - e, k * layer - e, clearance + e, clearance + e, k * layer + e};
  plane[] -= hole[];
  inner[] += plane[];
EndFor
Physical Surface("planes") = {inner[]};
Physical Surface("port1_face") = Surface In BoundingBox{-clearance - e, -clearance - e, height + feed - e, clearance + e, clearance + e, height + feed + e};
Physical Surface("port2_face") = Surface In BoundingBox{-clearance - e, -clearance - e, -feed - e, clearance + e, clearance + e, -feed + e};
For k In {0 : 1}
  x = (k - 0.5) * length;
  y = (k - 0.5) * width;
  rim[] += Surface In BoundingBox{x - e, -width, -e, x + e, width, height + e};
  rim[] += Surface In BoundingBox{-length, y - e, -e, length, y + e, height + e};
EndFor
Physical Surface("rim") = {rim[]};

Field[1] = Distance;
vias[] = Surface In BoundingBox{-pitch - via_radius - e, -via_radius - e, -feed - e, pitch + via_radius + e, via_radius + e, height + feed + e};
Field[1].SurfacesList = {vias[]};
Field[1].NumPointsPerCurve = 40;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = via_size;
Field[2].SizeMax = size;
Field[2].DistMin = 0.5;
Field[2].DistMax = 4;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
