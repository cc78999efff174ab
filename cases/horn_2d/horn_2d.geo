// A guide of two plates that flares into a horn in a circle of air; lengths in m.
DefineConstant[
  width = 0.6,        // of the guide
  feed = 1.0,         // length of the guide
  aperture = 3.0,     // between the tips of the flare
  flare = 3.0,        // length of the flare
  plate = 0.05,       // thickness of the metal
  radius = 7.7,       // of the circle
  frequency = 0.3,    // GHz, at which
  per_wavelength = 20 // triangles fit a wavelength
];
h = 0.299792458/frequency/per_wavelength;
x0 = -feed - flare;   // the aperture is in x = 0
thick = plate*Sqrt(1 + ((aperture - width)/2/flare)^2);

// Metal above the axis, then below: guide, flare, tip, back.
Point(1) = {x0, width/2, 0, h};          Point(2) = {-flare, width/2, 0, h};          Point(3) = {0, aperture/2, 0, h};
Point(4) = {0, aperture/2 + thick, 0, h}; Point(5) = {-flare, width/2 + thick, 0, h};  Point(6) = {x0, width/2 + thick, 0, h};
Point(11) = {x0, -width/2, 0, h};        Point(12) = {-flare, -width/2, 0, h};        Point(13) = {0, -aperture/2, 0, h};
Point(14) = {0, -aperture/2 - thick, 0, h}; Point(15) = {-flare, -width/2 - thick, 0, h}; Point(16) = {x0, -width/2 - thick, 0, h};
// The guide ends in metal behind its port.
Point(7) = {x0 - plate, width/2 + thick, 0, h}; Point(17) = {x0 - plate, -width/2 - thick, 0, h};
middle = (x0 - plate)/2;
Point(20) = {middle, 0, 0, h}; Point(21) = {middle + radius, 0, 0, h}; Point(22) = {middle - radius, 0, 0, h};

Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 7};
Line(7) = {7, 17};
Line(11) = {11, 12}; Line(12) = {12, 13}; Line(13) = {13, 14}; Line(14) = {14, 15}; Line(15) = {15, 16}; Line(16) = {16, 17};
Line(20) = {1, 11};
Circle(21) = {21, 20, 22}; Circle(22) = {22, 20, 21};

Line Loop(1) = {21, 22};
Line Loop(2) = {20, 11, 12, 13, 14, 15, 16, -7, -6, -5, -4, -3, -2, -1};
Plane Surface(1) = {1, 2};
Physical Surface("air") = {1};
Physical Curve("metal") = {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16};
Physical Curve("port") = {20};
Physical Curve("outer") = {21, 22};
