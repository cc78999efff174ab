// A solenoid in r = x and z = y: winding 45 to 55 mm, 200 mm long; lengths in mm.
DefineConstant[
  refine = 1        // scales all sizes of elements
  reach = 2000      // the field is set to 0 so far away, r and z
];

inner = 45; outer = 55; half = 100;
p = newp;
Point(p) = {0, -reach, 0}; Point(p+1) = {reach, -reach, 0}; Point(p+2) = {reach, reach, 0}; Point(p+3) = {0, reach, 0};
Point(p+4) = {inner, -half, 0}; Point(p+5) = {outer, -half, 0}; Point(p+6) = {outer, half, 0}; Point(p+7) = {inner, half, 0};
c = newl;
Line(c) = {p, p+1}; Line(c+1) = {p+1, p+2}; Line(c+2) = {p+2, p+3}; Line(c+3) = {p+3, p};
Line(c+4) = {p+4, p+5}; Line(c+5) = {p+5, p+6}; Line(c+6) = {p+6, p+7}; Line(c+7) = {p+7, p+4};
Line Loop(1) = {c, c+1, c+2, c+3};
Line Loop(2) = {c+4, c+5, c+6, c+7};
Plane Surface(1) = {1, 2};
Plane Surface(2) = {2};
Physical Surface("air") = {1};
Physical Surface("coil") = {2};
Physical Curve("far") = {c, c+1, c+2};
Physical Curve("axis") = {c+3};

// 2.5 mm in the bore and the winding, growing with the distance.
Field[1] = MathEval;
Field[1].F = Sprintf("%g*(2.5 + 0.2*(Max(0, x - %g) + Max(0, Fabs(y) - %g)))", refine, outer, half);
Background Field = 1;
Mesh.CharacteristicLengthFromPoints = 0;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
