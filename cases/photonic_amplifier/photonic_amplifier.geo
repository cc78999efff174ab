// A wire of silicon in oxide along z, fed and ended by guides of metal filled with silicon, of the wire's cross-section.
// With quarter: 1 only x >= 0, y >= 0 is meshed: x = 0 is an electric plane (E of the wave lies along x), one of `walls`,
// and y = 0, `mirror`, a magnetic one. Lengths in um.
//
// Every cross-section has the same triangles: cells of core_cell in the wire, growing outwards in the oxide, swept along z.
DefineConstant[
  core_width = {0.55, Name "Wire/Width along x (um)"},
  core_height = {0.3, Name "Wire/Height along y (um)"},
  length = {40, Name "Wire/Length (um)"},
  cladding_width = {2.55, Name "Oxide/Width along x (um)"},
  cladding_height = {2.3, Name "Oxide/Height along y (um)"},
  feed_length = {0.3, Name "Guides/Length of each (um)"},
  feeds = {1, Name "Guides/0: none, the wire begins and ends in the surfaces `ends`"},
  quarter = {0, Name "Model/1: one quarter, between the planes x = 0, y = 0 and the sides"},
  core_cell = {0.05, Name "Mesh/Cells of the wire across z (um)"},
  axial_cell = {0.0608, Name "Mesh/Cells along z (um)"},
  oxide_layers_x = {9, Name "Mesh/Cells of the oxide along x, on either side"},
  oxide_layers_y = {9, Name "Mesh/Cells of the oxide along y, on either side"}
];

If (core_width <= 0 || core_height <= 0 || length <= 0 || feed_length <= 0 || core_cell <= 0 || axial_cell <= 0)
  Error("all lengths must be positive");
EndIf
If (cladding_width <= core_width || cladding_height <= core_height || oxide_layers_x < 1 || oxide_layers_y < 1)
  Error("the oxide must be larger than the wire, and have at least one layer of cells");
EndIf

// Lines of the grid: borders of the oxide and of the wire. Cells of the oxide grow by one factor, found so that the first
// is as large as those of the wire (Newton's iteration).
If (quarter)
  x[] = {0, core_width / 2, cladding_width / 2};
  wire = 0;   // column of the wire
Else
  x[] = {-cladding_width / 2, -core_width / 2, core_width / 2, cladding_width / 2};
  wire = 1;
EndIf
columns = #x[] - 1;
If (quarter)
  y[] = {0, core_height / 2, cladding_height / 2};
  level = 0;  // row of the wire
Else
  y[] = {-cladding_height / 2, -core_height / 2, core_height / 2, cladding_height / 2};
  level = 1;
EndIf
rows = #y[] - 1;
cells_x = Ceil((x[wire + 1] - x[wire]) / core_cell - 1e-9);
cells_y = Ceil((y[level + 1] - y[level]) / core_cell - 1e-9);
For k In {0:1}
  If (k == 0)
    n = oxide_layers_x;
    goal = (cladding_width - core_width) / 2 / core_cell;
  Else
    n = oxide_layers_y;
    goal = (cladding_height - core_height) / 2 / core_cell;
  EndIf
  q = 1.5;   // sum of q^i, i < n, is `goal`
  For step In {1:20}
    sum = 0;
    slope = 0;
    For i In {0:n - 1}
      sum += q ^ i;
      slope += i * q ^ (i - 1);
    EndFor
    If (slope > 0)
      q += (goal - sum) / slope;
    EndIf
    If (q < 1)
      q = 1;
    EndIf
  EndFor
  growth[k] = q;
EndFor

For j In {0:rows}
  For i In {0:columns}
    Point(10 * j + i + 1) = {x[i], y[j], 0};
  EndFor
EndFor
For j In {0:rows}
  For i In {0:columns - 1}
    Line(100 + 10 * j + i) = {10 * j + i + 1, 10 * j + i + 2};
    If (i == wire)
      Transfinite Curve {100 + 10 * j + i} = cells_x + 1;
    ElseIf (i > wire)
      Transfinite Curve {100 + 10 * j + i} = oxide_layers_x + 1 Using Progression growth[0];
    Else
      Transfinite Curve {100 + 10 * j + i} = oxide_layers_x + 1 Using Progression 1 / growth[0];
    EndIf
  EndFor
EndFor
For i In {0:columns}
  For j In {0:rows - 1}
    Line(200 + 10 * j + i) = {10 * j + i + 1, 10 * (j + 1) + i + 1};
    If (j == level)
      Transfinite Curve {200 + 10 * j + i} = cells_y + 1;
    ElseIf (j > level)
      Transfinite Curve {200 + 10 * j + i} = oxide_layers_y + 1 Using Progression growth[1];
    Else
      Transfinite Curve {200 + 10 * j + i} = oxide_layers_y + 1 Using Progression 1 / growth[1];
    EndIf
  EndFor
EndFor

// Patches of the cross-section and what they make. An extruded surface gives {top, volume, sides in the order of its loop:
// low y, high x, high y, low x}.
layers = Ceil(length / axial_cell - 1e-9);
feed_layers = Ceil(feed_length / axial_cell - 1e-9);
oxide[] = {};
ends[] = {};
open[] = {};
middle[] = {};
mirror[] = {};
walls[] = {};
For j In {0:rows - 1}
  For i In {0:columns - 1}
    patch = 10 * j + i + 1;
    Curve Loop(patch) = {100 + 10 * j + i, 200 + 10 * j + i + 1, -(100 + 10 * (j + 1) + i), -(200 + 10 * j + i)};
    Plane Surface(patch) = {patch};
    Transfinite Surface {patch} Alternate;
  EndFor
EndFor
For j In {0:rows - 1}
  For i In {0:columns - 1}
    patch = 10 * j + i + 1;
    made[] = Extrude {0, 0, length} { Surface{patch}; Layers{layers}; };
    If (j == level && i == wire)
      core = made[1];
      core_top = made[0];
    Else
      oxide[] += {made[1]};
      ends[] += {patch, made[0]};
    EndIf
    If (j == 0 && quarter)
      mirror[] += {made[2]};
    ElseIf (j == 0)
      open[] += {made[2]};
    EndIf
    If (j == rows - 1)
      open[] += {made[4]};
    EndIf
    If (i == columns - 1)
      open[] += {made[3]};
    EndIf
    If (i == 0 && wire == 0)
      middle[] += {made[5]};
    ElseIf (i == 0)
      open[] += {made[5]};
    EndIf
  EndFor
EndFor
If (feeds)
  For k In {0:1}
    If (k == 0)
      made[] = Extrude {0, 0, -feed_length} { Surface{10 * level + wire + 1}; Layers{feed_layers}; };
    Else
      made[] = Extrude {0, 0, feed_length} { Surface{core_top}; Layers{feed_layers}; };
    EndIf
    port[k] = made[0];
    guides[k] = made[1];
    walls[] += {made[3], made[4]};
    If (quarter)
      mirror[] += {made[2]};
    Else
      walls[] += {made[2]};
    EndIf
    If (wire == 0)
      middle[] += {made[5]};
    Else
      walls[] += {made[5]};
    EndIf
  EndFor
Else
  ends[] += {10 * level + wire + 1, core_top};
EndIf

Physical Volume("wire") = {core};
Physical Volume("oxide") = {oxide[]};
If (feeds)
  Physical Volume("feeds") = {guides[]};
EndIf
Physical Surface("walls") = {walls[], middle[]};
If (feeds)
  Physical Surface("port1_face") = {port[0]};
  Physical Surface("port2_face") = {port[1]};
EndIf
Physical Surface("ends") = {ends[]};
If (quarter)
  Physical Surface("mirror") = {mirror[]};
EndIf
Physical Surface("open") = {open[]};
