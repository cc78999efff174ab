// Nine unit cells of an array of monopoles over a ground plane without end: lengths in cm. The cell in the middle has a
// rod of the inner conductor of a coaxial line, carried on above the plane z = 0; the others are air, with the absorbing
// end of the mesh on their outer sides. Opposite sides of the cell in the middle, and of the cells in line with them, are
// meshed alike, so that cells fit together in any number.
SetFactory("OpenCASCADE");
DefineConstant[
  pitch = {20, Name "Array/Distance of the rods along x and y (cm)"},
  inner_radius = {1, Name "Coax/Inner radius, and the rod's (cm)"},
  outer_radius = {2.3, Name "Coax/Outer radius (cm)"},
  height = {10, Name "Monopole/Height (cm)"},
  feed = {4, Name "Coax/Length (cm)"},
  margin = {15, Name "Mesh/Width of the rim (cm)"},
  above = {15, Name "Mesh/Air above the rods (cm)"},
  near_size = {1.3, Name "Mesh/Edges in the line and at the rod (cm)"},
  far_size = {3.4, Name "Mesh/Largest edge (cm)"}
];

If (inner_radius <= 0 || outer_radius <= inner_radius || pitch <= 2 * outer_radius || height <= 0 || feed <= 0 || margin <= 0 || above <= 0)
  Error("outer_radius must be larger than inner_radius, pitch than twice outer_radius, and all lengths positive");
EndIf

// Cut planes and outer sides, along x and y alike.
at[] = {-pitch / 2 - margin, -pitch / 2, pitch / 2, pitch / 2 + margin};
top = height + above;
e = 1e-3;

Box(5) = {at[1], at[1], 0, pitch, pitch, top};
Cylinder(10) = {0, 0, -feed, 0, 0, feed, outer_radius};
Cylinder(11) = {0, 0, -feed, 0, 0, feed + height, inner_radius};
BooleanUnion(12) = { Volume{5}; Delete; }{ Volume{10}; Delete; };
BooleanDifference(13) = { Volume{12}; Delete; }{ Volume{11}; Delete; };
rim[] = {};
For i In {0 : 2}
  For j In {0 : 2}
    If (i != 1 || j != 1)
      v = 20 + 3 * i + j;
      Box(v) = {at[i], at[j], 0, at[i + 1] - at[i], at[j + 1] - at[j], top};
      rim[] += v;
    EndIf
  EndFor
EndFor
all[] = BooleanFragments{ Volume{13}; Delete; }{ Volume{rim[]}; Delete; };

antenna[] = Volume In BoundingBox{at[1] - e, at[1] - e, -feed - e, at[2] + e, at[2] + e, top + e};
rim[] = all[];
rim[] -= antenna[];
Physical Volume("cell.air") = {antenna[]};
Physical Volume("air") = {rim[]};

// The upper cut planes are copies of the lower ones, row by row and column by column.
For k In {0 : 2}
  low[] = Surface In BoundingBox{at[1] - e, at[k] - e, -e, at[1] + e, at[k + 1] + e, top + e};
  high[] = Surface In BoundingBox{at[2] - e, at[k] - e, -e, at[2] + e, at[k + 1] + e, top + e};
  Periodic Surface {high[]} = {low[]} Translate {pitch, 0, 0};
  low[] = Surface In BoundingBox{at[k] - e, at[1] - e, -e, at[k + 1] + e, at[1] + e, top + e};
  high[] = Surface In BoundingBox{at[k] - e, at[2] - e, -e, at[k + 1] + e, at[2] + e, top + e};
  Periodic Surface {high[]} = {low[]} Translate {0, pitch, 0};
EndFor

port[] = Surface In BoundingBox{-outer_radius - e, -outer_radius - e, -feed - e, outer_radius + e, outer_radius + e, -feed + e};
outside[] = Surface In BoundingBox{at[0] - e, at[0] - e, top - e, at[3] + e, at[3] + e, top + e};
outside[] += Surface In BoundingBox{at[0] - e, at[0] - e, -e, at[0] + e, at[3] + e, top + e};
outside[] += Surface In BoundingBox{at[3] - e, at[0] - e, -e, at[3] + e, at[3] + e, top + e};
outside[] += Surface In BoundingBox{at[0] - e, at[0] - e, -e, at[3] + e, at[0] + e, top + e};
outside[] += Surface In BoundingBox{at[0] - e, at[3] - e, -e, at[3] + e, at[3] + e, top + e};
Physical Surface("port_face") = {port[]};
Physical Surface("outside") = {outside[]};

near[] = Surface In BoundingBox{-outer_radius - e, -outer_radius - e, -feed - e, outer_radius + e, outer_radius + e, height + e};
Field[1] = Distance;
Field[1].SurfacesList = {near[]};
Field[1].NumPointsPerCurve = 60;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = near_size;
Field[2].SizeMax = far_size;
Field[2].DistMin = 0.3;
Field[2].DistMax = pitch / 2;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
