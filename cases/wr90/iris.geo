// A WR-90 guide along z with an inductive iris in its middle: two fins of thin metal over the full height leave a window.
// Lengths in mm.
DefineConstant[
  a = {22.86, Name "Guide/Width (mm)"},
  b = {10.16, Name "Guide/Height (mm)"},
  feed = {20, Name "Guide/Length on each side (mm)"},
  window = {12, Name "Guide/Width of the window (mm)"},
  size = {2.6, Name "Mesh/Largest edge (mm)"},
  edge_size = {0.6, Name "Mesh/Edges at the rim of the window (mm)"}
];

If (window <= 0 || window >= a || b <= 0 || feed <= 0 || size <= 0 || edge_size <= 0)
  Error("all lengths must be positive, and the window less than a");
EndIf

// The plane of the iris: four lines across in x, three rectangles between them.
x[] = {0, (a - window) / 2, (a + window) / 2, a};
For k In {0:3}
  h = (k == 0 || k == 3) ? size : edge_size;
  low[k] = newp;
  Point(low[k]) = {x[k], 0, 0, h};
  high[k] = newp;
  Point(high[k]) = {x[k], b, 0, h};
  upright[k] = newl;
  Line(upright[k]) = {low[k], high[k]};
EndFor
For k In {0:2}
  bottom[k] = newl;
  Line(bottom[k]) = {low[k], low[k + 1]};
  top[k] = newl;
  Line(top[k]) = {high[k], high[k + 1]};
  loop = newll;
  Curve Loop(loop) = {bottom[k], upright[k + 1], -top[k], -upright[k]};
  plane[k] = news;
  Plane Surface(plane[k]) = {loop};
EndFor

// Both ends, and the boxes between: one volume on each side, bounded by the three rectangles of the plane.
For side In {0:1}
  z = side == 0 ? -feed : feed;
  p1 = newp; Point(p1) = {0, 0, z, size};
  p2 = newp; Point(p2) = {a, 0, z, size};
  p3 = newp; Point(p3) = {a, b, z, size};
  p4 = newp; Point(p4) = {0, b, z, size};
  l1 = newl; Line(l1) = {p1, p2};
  l2 = newl; Line(l2) = {p2, p3};
  l3 = newl; Line(l3) = {p3, p4};
  l4 = newl; Line(l4) = {p4, p1};
  c1 = newl; Line(c1) = {p1, low[0]};
  c2 = newl; Line(c2) = {p2, low[3]};
  c3 = newl; Line(c3) = {p3, high[3]};
  c4 = newl; Line(c4) = {p4, high[0]};
  q = newll; Curve Loop(q) = {l1, l2, l3, l4}; end[side] = news; Plane Surface(end[side]) = {q};
  q = newll; Curve Loop(q) = {l1, c2, -bottom[2], -bottom[1], -bottom[0], -c1}; s1 = news; Plane Surface(s1) = {q};
  q = newll; Curve Loop(q) = {l2, c3, -upright[3], -c2}; s2 = news; Plane Surface(s2) = {q};
  q = newll; Curve Loop(q) = {l3, c4, top[0], top[1], top[2], -c3}; s3 = news; Plane Surface(s3) = {q};
  q = newll; Curve Loop(q) = {l4, c1, upright[0], -c4}; s4 = news; Plane Surface(s4) = {q};
  walls[] += {s1, s2, s3, s4};
  q = newsl; Surface Loop(q) = {end[side], s1, s2, s3, s4, plane[]};
  volume[side] = newv;
  Volume(volume[side]) = {q};
EndFor

Physical Volume("guide") = {volume[]};
Physical Surface("walls") = {walls[]};
Physical Surface("iris") = {plane[0], plane[2]};
Physical Surface("end1") = {end[0]};
Physical Surface("end2") = {end[1]};
