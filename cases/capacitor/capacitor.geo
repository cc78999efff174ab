// Two plates 2 in wide and 1/64 in thick, 1/32 in apart, in a box of 8 in x 8 in; lengths in mm. The plates are holes: no
// field is inside of them.
DefineConstant[ refine = 1 ];  // scales all sizes of elements

inch = 25.4;
half_width = inch; inner = inch/64; outer = inch/32; box = 4*inch;

Macro DrawRectangle
  p = newp; Point(p) = {x0, y0, 0}; Point(p+1) = {x1, y0, 0}; Point(p+2) = {x1, y1, 0}; Point(p+3) = {x0, y1, 0};
  c = newl; Line(c) = {p, p+1}; Line(c+1) = {p+1, p+2}; Line(c+2) = {p+2, p+3}; Line(c+3) = {p+3, p};
  loop = newll; Line Loop(loop) = {c, c+1, c+2, c+3};
  sides[] = {c, c+1, c+2, c+3};
  corners[] = {p, p+1, p+2, p+3};
Return

x0 = -half_width; x1 = half_width; y0 = inner; y1 = outer;
Call DrawRectangle;
top[] = sides[]; top_loop = loop; plate_corners[] = corners[];
y0 = -outer; y1 = -inner;
Call DrawRectangle;
bottom[] = sides[]; bottom_loop = loop; plate_corners[] += corners[];
x0 = -box; x1 = box; y0 = -box; y1 = box;
Call DrawRectangle;
walls[] = sides[];

s = news; Plane Surface(s) = {loop, top_loop, bottom_loop};
Physical Surface("air") = {s};
Physical Curve("plate_top") = {top[]};
Physical Curve("plate_bottom") = {bottom[]};
Physical Curve("box") = {walls[]};

// Sizes: 4 um at the corners of the plates, where the field has no bound, then a quarter of the distance from them, and
// the gap between the plates, then a quarter of the distance from the plates.
Field[1] = Distance; Field[1].NodesList = {plate_corners[]};
Field[2] = MathEval; Field[2].F = Sprintf("%g*(0.004 + 0.25*F1)", refine);
Field[3] = Distance; Field[3].EdgesList = {top[], bottom[]}; Field[3].NNodesByEdge = 1000;
Field[4] = MathEval; Field[4].F = Sprintf("%g*(0.4 + 0.25*F3)", refine);
Field[5] = Min; Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthMax = 12*refine;
