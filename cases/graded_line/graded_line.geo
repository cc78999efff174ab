// A coaxial line along z whose inner conductor has a fine gap in its middle. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[
  inner_radius = {1, Name "Coax/Inner radius (mm)"},
  outer_radius = {2.3, Name "Coax/Outer radius (mm)"},
  length = {20, Name "Coax/Length (mm)"},
  gap = {0.05, Name "Coax/Gap of the inner conductor (mm)"},
  fine = {0.12, Name "Mesh/Size in the gap (mm)"},
  coarse = {0.9, Name "Mesh/Largest size (mm)"}
];
If (inner_radius <= 0 || outer_radius <= inner_radius || gap <= 0 || gap >= length / 2)
  Error("0 < inner_radius < outer_radius and 0 < gap < length/2 are needed");
EndIf

middle = length / 2;
Cylinder(1) = {0, 0, 0, 0, 0, length, outer_radius};
Cylinder(2) = {0, 0, 0, 0, 0, middle - gap / 2, inner_radius};
Cylinder(3) = {0, 0, middle + gap / 2, 0, 0, middle - gap / 2, inner_radius};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{2, 3}; Delete; };

e = 1e-3;
r = inner_radius + e;
all[] = Boundary { Volume{4}; };
inner[] = Surface In BoundingBox {-r, -r, -e, r, r, length + e};
port1[] = Surface In BoundingBox {-2 * outer_radius, -2 * outer_radius, -e, 2 * outer_radius, 2 * outer_radius, e};
port2[] = Surface In BoundingBox {-2 * outer_radius, -2 * outer_radius, length - e, 2 * outer_radius, 2 * outer_radius, length + e};
outer[] = all[];
outer[] -= inner[];
outer[] -= port1[];
outer[] -= port2[];

Physical Volume("line") = {4};
Physical Surface("inner") = {inner[]};
Physical Surface("outer") = {outer[]};
Physical Surface("port1_face") = {port1[]};
Physical Surface("port2_face") = {port2[]};

// `fine` in the gap, larger with the distance from it.
Field[1] = MathEval;
Field[1].F = Sprintf("%g+0.3*sqrt((z-%g)^2+((sqrt(x^2+y^2)-%g+abs(sqrt(x^2+y^2)-%g))/2)^2)", fine, middle, inner_radius, inner_radius);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeMax = coarse;
