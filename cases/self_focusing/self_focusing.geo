// A block of a nonlinear medium in a cladding of a linear one, lit through a square feed between two electric and two
// magnetic walls in a screen of metal. The block begins at z = 0, `front` behind the screen, so that the fields at the
// edges of the feed stay in the linear medium; the cladding ends open. The beam runs along z, E along x. Lengths in mm.
//
// With quarter: 1 only x >= 0, y >= 0 is meshed, between the electric plane x = 0 and the magnetic plane y = 0.
SetFactory("OpenCASCADE");
DefineConstant[
  width = {1, Name "Block/Width and height (mm)"},
  length = {3, Name "Block/Length (mm)"},
  cladding = {0.2, Name "Cladding/Thickness (mm)"},
  front = {0.1, Name "Cladding/Thickness between screen and block (mm)"},
  feed_width = {0.5, Name "Feed/Width and height (mm)"},
  feed_length = {0.5, Name "Feed/Length (mm)"},
  quarter = {0, Name "Model/1: a quarter between planes of symmetry"},
  edge = {0.036, Name "Mesh/Edges of the elements (mm)"}
];

If (feed_width <= 0 || width <= feed_width || length <= 0 || cladding <= 0 || front <= 0 || feed_length <= 0 || edge <= 0)
  Error("all lengths must be positive, and width larger than feed_width");
EndIf

outer = width / 2 + cladding;   // half the width of all, likewise those of the block and of the feed
inner = width / 2;
throat = feed_width / 2;
start = -front - feed_length;
If (quarter)
  Box(1) = {0, 0, -front, outer, outer, front + length + cladding};
  Box(2) = {0, 0, 0, inner, inner, length};
  Box(3) = {0, 0, start, throat, throat, feed_length};
Else
  Box(1) = {-outer, -outer, -front, 2 * outer, 2 * outer, front + length + cladding};
  Box(2) = {-inner, -inner, 0, 2 * inner, 2 * inner, length};
  Box(3) = {-throat, -throat, start, 2 * throat, 2 * throat, feed_length};
EndIf
BooleanFragments{ Volume{1:3}; Delete; }{}

// Volumes and faces by the boxes they lie in.
e = 1e-4 * width;
low_x = -outer;
low_throat = -throat;
low_inner = -inner;
If (quarter)
  low_x = 0;
  low_throat = 0;
  low_inner = 0;
EndIf
feed() = Volume In BoundingBox{low_throat - e, low_throat - e, start - e, throat + e, throat + e, -front + e};
block() = Volume In BoundingBox{low_inner - e, low_inner - e, -e, inner + e, inner + e, length + e};
around() = Volume{:};
around() -= feed();
around() -= block();
skin() = CombinedBoundary{ Volume{:}; };

port() = Surface In BoundingBox{low_throat - e, low_throat - e, start - e, throat + e, throat + e, start + e};
plate() = Surface In BoundingBox{throat - e, low_throat - e, start - e, throat + e, throat + e, -front + e};
side() = Surface In BoundingBox{low_throat - e, throat - e, start - e, throat + e, throat + e, -front + e};
screen() = Surface In BoundingBox{low_x - e, low_x - e, -front - e, outer + e, outer + e, -front + e};
mouth() = Surface In BoundingBox{low_throat - e, low_throat - e, -front - e, throat + e, throat + e, -front + e};
screen() -= mouth();
If (quarter)
  ground() = Surface In BoundingBox{-e, -e, start - e, e, outer + e, length + cladding + e};
  middle() = Surface In BoundingBox{-e, -e, start - e, outer + e, e, length + cladding + e};
Else
  ground() = Surface In BoundingBox{-throat - e, -throat - e, start - e, -throat + e, throat + e, -front + e};
  middle() = Surface In BoundingBox{-throat - e, -throat - e, start - e, throat + e, -throat + e, -front + e};
EndIf
open() = skin();
open() -= port();
open() -= plate();
open() -= side();
open() -= screen();
open() -= ground();
open() -= middle();

Physical Volume("feed") = {feed()};
Physical Volume("block") = {block()};
Physical Volume("cladding") = {around()};
Physical Surface("port_face") = {port()};
Physical Surface("plate") = {plate()};
Physical Surface("ground") = {ground()};
Physical Surface("sides") = {side(), middle()};
Physical Surface("screen") = {screen()};
Physical Surface("open") = {open()};

Mesh.MeshSizeMin = edge;
Mesh.MeshSizeMax = edge;
