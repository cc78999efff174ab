// A metal enclosure fed by a coaxial line whose conductor ends in a resistor at the opposite wall; with a slot, air outside of one wall.
// Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  slot = {0, Name "Slot/There is one (1) or not (0)"},
  slot_length = {120, Name "Slot/Length (mm)"},
  slot_width = {4, Name "Slot/Width (mm)"},
  size = {28, Name "Mesh/Largest edge (mm)"},
  size_rod = {5, Name "Mesh/Edge at the rod (mm)"}
];
width = 220; length = 300; height = 140;       // as in the text
feed_x = 60; feed_y = 80; inner = 2; outer = 4.6; line = 10; gap = 4;
air = 150;                                     // outside of the wall x = width

Box(1) = {0, 0, 0, width, length, height};
Cylinder(2) = {feed_x, feed_y, -line, 0, 0, line, outer};
Cylinder(3) = {feed_x, feed_y, -line, 0, 0, line + height - gap, inner};
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };
Rectangle(1001) = {feed_x - inner, -gap/2, 0, 2*inner, gap};       // the resistor, to be turned upright
Rotate{ {1, 0, 0}, {feed_x, 0, 0}, Pi/2 }{ Surface{1001}; }
Translate{0, feed_y, height - gap/2}{ Surface{1001}; }
If (slot)
  Rectangle(1002) = {-slot_length/2, -slot_width/2, 0, slot_length, slot_width};
  Rotate{ {0, 0, 1}, {0, 0, 0}, Pi/2 }{ Surface{1002}; }
  Rotate{ {0, 1, 0}, {0, 0, 0}, Pi/2 }{ Surface{1002}; }
  Translate{width, length/2, height/2}{ Surface{1002}; }
  Box(6) = {width, -air/2, -air/2, air, length + air, height + air};
  BooleanFragments{ Volume{5, 6}; Delete; }{ Surface{1001, 1002}; Delete; }
Else
  BooleanFragments{ Volume{5}; Delete; }{ Surface{1001}; Delete; }
EndIf

e = 1e-3;
inside[] = Volume In BoundingBox{-e, -e, -line - e, width + e, length + e, height + e};
Physical Volume("inside") = {inside[]};
Physical Surface("port") = Surface In BoundingBox{feed_x - outer - e, feed_y - outer - e, -line - e, feed_x + outer + e, feed_y + outer + e, -line + e};
resistor[] = Surface In BoundingBox{feed_x - inner - e, feed_y - e, height - gap - e, feed_x + inner + e, feed_y + e, height + e};
Physical Surface("resistor") = {resistor[]};
If (slot)
  outside[] = Volume{:}; outside[] -= inside[];
  Physical Volume("outside") = {outside[]};
  hole[] = Surface In BoundingBox{width - e, length/2 - slot_length/2 - e, height/2 - slot_width/2 - e, width + e, length/2 + slot_length/2 + e, height/2 + slot_width/2 + e};
  wall[] = Surface In BoundingBox{width - e, -e, -e, width + e, length + e, height + e};
  wall[] -= hole[];
  Physical Surface("wall") = {wall[]};             // of both sides
  ground[] = Surface In BoundingBox{width - e, -air, -air, width + e, length + air, height + air};
  open[] = Surface In BoundingBox{width - e, -air, -air, width + air + e, length + air, height + air};
  open[] -= ground[];
  Physical Surface("open") = {open[]};
  near[] = Point In BoundingBox{width - e, length/2 - slot_length/2 - e, height/2 - slot_width/2 - e, width + e, length/2 + slot_length/2 + e, height/2 + slot_width/2 + e};
EndIf
MeshSize{ PointsOf{ Volume{:}; } } = size;
rod[] = Point In BoundingBox{feed_x - outer - e, feed_y - outer - e, -line - e, feed_x + outer + e, feed_y + outer + e, height + e};
MeshSize{ rod[] } = size_rod;
If (slot)
  MeshSize{ near[] } = 2*slot_width;
EndIf
Mesh.MeshSizeMax = size;
