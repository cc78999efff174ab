// A quarter (x > 0, y > 0) of a pyramidal horn of thin metal about the z axis with its guide, in two layers of air. Currents
// on the surface between them radiate; the outer one ends the mesh. In mm.
DefineConstant[
  a = {22.86, Name "Guide/Width, along x (mm)"},
  b = {10.16, Name "Guide/Height, along y (mm)"},
  A = {186.1, Name "Aperture/Width (mm)"},
  B = {147.5, Name "Aperture/Height (mm)"},
  length = {295.3, Name "Horn/From throat to aperture (mm)"},
  feed = {30, Name "Guide/Length (mm)"},
  cap = {5, Name "Guide/Thickness of the metal behind the port (mm)"},
  skin = {4, Name "Air/From the horn to the currents (mm)"},
  gap = {5, Name "Air/From the currents to the end of the mesh (mm)"},
  size = {8, Name "Mesh/Edge (mm)"},
  size_rim = {5, Name "Mesh/Edge at the rim of the aperture (mm)"},
  size_guide = {4, Name "Mesh/Edge in the guide (mm)"}
];

SetFactory("OpenCASCADE");
// A frustum with edges along the axes: from (x1, y1) at z1 to (x2, y2) at z2.
Macro Frustum
  p = newp;
  Point(p) = {0, 0, z1};
  Point(p+1) = {x1, 0, z1};
  Point(p+2) = {x1, y1, z1};
  Point(p+3) = {0, y1, z1};
  Point(p+4) = {0, 0, z2};
  Point(p+5) = {x2, 0, z2};
  Point(p+6) = {x2, y2, z2};
  Point(p+7) = {0, y2, z2};
  q = newc;
  For k In {0:3}
    Line(q+k) = {p+k, p+(k+1)%4};
    Line(q+4+k) = {p+4+k, p+4+(k+1)%4};
    Line(q+8+k) = {p+k, p+4+k};
  EndFor
  s = news;
  Curve Loop(s) = {q, q+1, q+2, q+3};
  Plane Surface(s) = {s};
  Curve Loop(s+1) = {q+4, q+5, q+6, q+7};
  Plane Surface(s+1) = {s+1};
  For k In {0:3}
    Curve Loop(s+2+k) = {q+k, q+8+(k+1)%4, -(q+4+k), -(q+8+k)};
    Plane Surface(s+2+k) = {s+2+k};
  EndFor
  v = newv;
  Surface Loop(v) = {s, s+1, s+2, s+3, s+4, s+5};
  Volume(v) = {v};
Return

back = -length - feed;
x1 = a/2; y1 = b/2; z1 = -length; x2 = A/2; y2 = B/2; z2 = 0;
Call Frustum;
horn = v;
Box(100) = {0, 0, back, a/2, b/2, feed};
Box(101) = {0, 0, back - cap, a/2, b/2, cap};
x1 = a/2 + skin; y1 = b/2 + skin; z1 = back - cap - skin; x2 = A/2 + skin; y2 = B/2 + skin; z2 = skin;
Call Frustum;
near = v;
far = skin + gap;
x1 = a/2 + far; y1 = b/2 + far; z1 = back - cap - far; x2 = A/2 + far; y2 = B/2 + far; z2 = far;
Call Frustum;
BooleanFragments{ Volume{horn, 100, 101, near, v}; Delete; }{}
e = 1e-3;
block() = Volume In BoundingBox{-e, -e, back-cap-e, a/2+e, b/2+e, back+e};
inner() = Volume In BoundingBox{-e, -e, back-e, A/2+e, B/2+e, e};
near() = Volume In BoundingBox{-e, -e, back-cap-skin-e, A/2+skin+e, B/2+skin+e, skin+e};
near() -= block();
near() -= inner();
air() = Volume{:};
air() -= block();
air() -= inner();
air() -= near();

port() = Surface In BoundingBox{-e, -e, back-e, a/2+e, b/2+e, back+e};
aperture() = Surface In BoundingBox{-e, -e, -e, A/2+e, B/2+e, e};
x0() = Surface In BoundingBox{-e, -e, back-cap-far-e, e, B/2+far+e, far+e};
y0() = Surface In BoundingBox{-e, -e, back-cap-far-e, A/2+far+e, e, far+e};
throat() = Surface In BoundingBox{-e, -e, -length-e, a/2+e, b/2+e, -length+e};
metal() = Surface In BoundingBox{-e, -e, back-cap-e, A/2+e, B/2+e, e};
metal() -= port();
metal() -= aperture();
metal() -= throat();
metal() -= x0();
metal() -= y0();
outer() = Boundary{ Volume{air()}; };
For k In {0:#outer()-1}
  outer(k) = Abs(outer(k));
EndFor
outer() -= x0();
outer() -= y0();
currents() = Surface In BoundingBox{-e, -e, back-cap-skin-e, A/2+skin+e, B/2+skin+e, skin+e};
currents() -= x0();
currents() -= y0();
currents() -= metal();
currents() -= port();
currents() -= aperture();
currents() -= throat();
outer() -= currents();

MeshSize{ PointsOf{ Volume{:}; } } = size;
MeshSize{ PointsOf{ Surface{aperture()}; } } = size_rim;
MeshSize{ PointsOf{ Volume{100}; } } = size_guide;
MeshSize{ PointsOf{ Surface{throat()}; } } = size_guide;
Mesh.MeshSizeExtendFromBoundary = 1;

cut_x() = Surface In BoundingBox{-e, -e, back-cap-e, e, b/2+e, back+e};
cut_y() = Surface In BoundingBox{-e, -e, back-cap-e, a/2+e, e, back+e};
x0() -= cut_x();
y0() -= cut_y();
Delete{ Volume{block()}; }
Delete{ Surface{cut_x(), cut_y()}; }
Physical Volume("inside") = {inner()};
Physical Volume("near") = {near()};
Physical Volume("air") = {air()};
Physical Surface("port") = {port()};
Physical Surface("metal") = {metal()};
Physical Surface("currents") = {currents()};
Physical Surface("x0") = {x0()};
Physical Surface("y0") = {y0()};
Physical Surface("outer") = {outer()};
