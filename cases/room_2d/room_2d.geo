// A flat of four rooms seen from above, in a yard that ends in an absorbing layer; lengths in m.
DefineConstant[
  frequency = 0.3,     // GHz, at which
  per_wavelength = 18, // triangles fit a wavelength in air
  in_concrete = 10,    // and in concrete
  index = 2.29,        // of concrete
  cupboard = 1         // 0: without it
];
h = 0.299792458/frequency/per_wavelength;
h_wall = 0.299792458/frequency/index/in_concrete;
SetFactory("OpenCASCADE");

// Outer walls 12 m by 8 m, 0.25 m thick, with openings for three windows and a door; partitions 0.12 m with doors of 0.9 m.
Rectangle(1) = {0, 0, 0, 12, 8};
Rectangle(2) = {0.25, 0.25, 0, 11.5, 7.5};
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
Rectangle(4) = {1.5, -0.1, 0, 1.6, 0.5};    // windows
Rectangle(5) = {8.5, -0.1, 0, 1.6, 0.5};
Rectangle(6) = {2.5, 7.6, 0, 2.0, 0.5};
Rectangle(7) = {11.6, 5.0, 0, 0.5, 1.0};    // the door of the flat
outer[] = BooleanDifference{ Surface{3}; Delete; }{ Surface{4, 5, 6, 7}; Delete; };
Rectangle(101) = {5.5, 0.25, 0, 0.12, 1.2};  // partitions
Rectangle(102) = {5.5, 2.35, 0, 0.12, 2.0};
Rectangle(103) = {0.25, 4.35, 0, 2.2, 0.12};
Rectangle(104) = {3.35, 4.35, 0, 5.0, 0.12};
Rectangle(105) = {9.25, 4.35, 0, 2.5, 0.12};
Rectangle(106) = {7.2, 4.47, 0, 0.12, 3.28};
Rectangle(301) = {-0.6, -0.6, 0, 13.2, 9.2};
Rectangle(303) = {-1.1, -1.1, 0, 14.2, 10.2};
BooleanDifference(304) = { Surface{303}; Delete; }{ Surface{301}; };  // the layer
partitions[] = {101:106};
yard = 301;
If (cupboard)
  Rectangle(201) = {10.3, 1.0, 0, 1.2, 0.6};  // of metal
  BooleanDifference(302) = { Surface{301}; Delete; }{ Surface{201}; Delete; };
  yard = 302;
EndIf
BooleanFragments{ Surface{yard}; Delete; }{ Surface{304, outer[], partitions[]}; Delete; }
walls[] = Surface In BoundingBox {-0.01, -0.01, -1, 12.01, 8.01, 1};
air[] = Surface In BoundingBox {-0.61, -0.61, -1, 12.61, 8.61, 1}; air[] -= walls[];
layer[] = Surface{:}; layer[] -= walls[]; layer[] -= air[];

Physical Surface("walls") = {walls[]};
Physical Surface("air") = {air[]};
Physical Surface("layer") = {layer[]};
If (cupboard)
  Physical Curve("cupboard") = Curve In BoundingBox {10.29, 0.99, -1, 11.51, 1.61, 1};
EndIf
sides[] = Curve In BoundingBox {-1.11, -1.11, -1, 13.11, -1.09, 1};
sides[] += Curve In BoundingBox {-1.11, 9.09, -1, 13.11, 9.11, 1};
sides[] += Curve In BoundingBox {-1.11, -1.11, -1, -1.09, 9.11, 1};
sides[] += Curve In BoundingBox {13.09, -1.11, -1, 13.11, 9.11, 1};
Physical Curve("outer") = {sides[]};

MeshSize{ PointsOf{ Surface{air[], layer[]}; } } = h;
MeshSize{ PointsOf{ Surface{walls[]}; } } = h_wall;
