// A branch-line coupler in microstrip: two arms of 35 ohm along x, two of 50 ohm along y, feeds of 50 ohm to the walls x = -side and
// x = side. Strips are sheets at z = height over the ground plane z = 0. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  height = {0.508, Name "Board/Thickness (mm)"},
  wide = {2.9, Name "Coupler/Width of the arms of 35 ohm (mm)"},
  narrow = {1.9, Name "Coupler/Width of the arms of 50 ohm (mm)"},
  feed_width = {1.6, Name "Coupler/Width of the feeds (mm)"},
  arm = {12, Name "Coupler/Length of the arms of 35 ohm, between centres of junctions (mm)"},
  branch = {12, Name "Coupler/Length of the arms of 50 ohm, between centres of junctions (mm)"},
  feed = {10, Name "Coupler/From the centre of a junction to the wall (mm)"},
  margin = {8, Name "Mesh/Air beside the coupler (mm)"},
  top = {8, Name "Mesh/Air above the board (mm)"},
  port_width = {9, Name "Mesh/Width of the faces of the ports (mm)"},
  port_height = {4, Name "Mesh/Height of the faces of the ports (mm)"},
  edge_size = {0.165, Name "Mesh/Edges at the rims of the strips (mm)"},
  far_size = {1.6, Name "Mesh/Largest edge (mm)"}
];

If (height <= 0 || wide <= 0 || narrow <= 0 || feed_width <= 0 || feed <= 0 || port_height <= height || port_height > top)
  Error("all lengths must be positive, and port_height between height and top");
EndIf
If (branch <= wide || arm <= narrow || port_width > branch || port_width <= feed_width)
  Error("arms must be longer than the others are wide, and port_width between feed_width and branch");
EndIf

x = arm / 2 + feed;
y = branch / 2 + wide / 2 + margin;
Box(1) = {-x, -y, 0, 2 * x, 2 * y, height};
Box(2) = {-x, -y, height, 2 * x, 2 * y, top};
strips[] = {};
faces[] = {};
For k In {-1 : 1 : 2}
  s = news; Rectangle(s) = {-arm / 2, k * branch / 2 - wide / 2, height, arm, wide}; strips[] += s;
  s = news; Rectangle(s) = {k * arm / 2 - narrow / 2, -branch / 2, height, narrow, branch}; strips[] += s;
  s = news; Rectangle(s) = {-x, k * branch / 2 - feed_width / 2, height, 2 * x, feed_width}; strips[] += s;
  For m In {-1 : 1 : 2}
    // Turned to stand upright in the wall: Rectangle lies in xy.
    s = news; Rectangle(s) = {0, k * branch / 2 - port_width / 2, 0, port_height, port_width};
    Rotate{ {0, 1, 0}, {0, 0, 0}, -Pi / 2 }{ Surface{s}; }
    Translate{ m * x, 0, 0 }{ Surface{s}; }
    faces[] += s;
  EndFor
EndFor
BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{strips[], faces[]}; Delete; }

e = 1e-3;
Physical Volume("board") = Volume In BoundingBox{-x - e, -y - e, -e, x + e, y + e, height + e};
Physical Volume("air") = Volume In BoundingBox{-x - e, -y - e, height - e, x + e, y + e, height + top + e};
strip[] = {};
For k In {-1 : 1 : 2}
  strip[] += Surface In BoundingBox{-arm / 2 - e, k * branch / 2 - wide / 2 - e, height - e, arm / 2 + e, k * branch / 2 + wide / 2 + e, height + e};
  strip[] += Surface In BoundingBox{k * arm / 2 - narrow / 2 - e, -branch / 2 - e, height - e, k * arm / 2 + narrow / 2 + e, branch / 2 + e, height + e};
  strip[] += Surface In BoundingBox{-x - e, k * branch / 2 - feed_width / 2 - e, height - e, x + e, k * branch / 2 + feed_width / 2 + e, height + e};
EndFor
strip[] = Unique(strip[]);
Physical Surface("strip") = {strip[]};
// Port 1 at the upper left, 2 at the upper right (through), 3 at the lower right (coupled), 4 at the lower left (isolated).
sx[] = {-1, 1, 1, -1};
sy[] = {1, 1, -1, -1};
port_faces[] = {};
For k In {0 : 3}
  port[] = Surface In BoundingBox{sx[k] * x - e, sy[k] * branch / 2 - port_width / 2 - e, -e, sx[k] * x + e, sy[k] * branch / 2 + port_width / 2 + e, port_height + e};
  Physical Surface(Sprintf("port%g_face", k + 1)) = {port[]};
  port_faces[] += port[];
EndFor
outside[] = Surface In BoundingBox{-x - e, -y - e, height + top - e, x + e, y + e, height + top + e};
For k In {-1 : 1 : 2}
  outside[] += Surface In BoundingBox{-x - e, k * y - e, -e, x + e, k * y + e, height + top + e};
  outside[] += Surface In BoundingBox{k * x - e, -y - e, -e, k * x + e, y + e, height + top + e};
EndFor
outside[] -= port_faces[];
Physical Surface("outside") = {outside[]};

rim[] = Abs(Boundary{ Surface{strip[]}; });
Field[1] = Distance;
Field[1].CurvesList = {rim[]};
Field[1].NumPointsPerCurve = 60;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = edge_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.4;
Field[2].DistMax = 9;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
