// A quarter of a metal sphere (x > 0, y > 0) in a layer of air of even width, by its size in wavelengths. In mm, at 1 GHz.
DefineConstant[
  ka = {1, Name "Sphere/Circumference in wavelengths"},
  gap = {0.1, Name "Air/Width in wavelengths"},
  edge = {0.16, Name "Mesh/Edge in wavelengths, but at most a third of the radius"}
];

wavelength = 299.792458;
a = ka * wavelength / (2 * Pi);
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, a, -Pi/2, Pi/2, Pi/2};
Sphere(2) = {0, 0, 0, a + gap * wavelength, -Pi/2, Pi/2, Pi/2};
BooleanDifference(3) = { Volume{2}; Delete; }{ Volume{1}; Delete; };

e = 1e-3;
b = a + gap * wavelength + e;
skin() = Surface In BoundingBox{-e, -e, -a-e, a+e, a+e, a+e};
x0() = Surface In BoundingBox{-e, -b, -b, e, b, b};
y0() = Surface In BoundingBox{-b, -e, -b, b, e, b};
wall() = Surface{:};
wall() -= skin();
wall() -= x0();
wall() -= y0();

MeshSize{ PointsOf{ Volume{3}; } } = edge * wavelength < a / 3 ? edge * wavelength : a / 3;

Physical Volume("air") = {3};
Physical Surface("sphere") = {skin()};
Physical Surface("x0") = {x0()};
Physical Surface("y0") = {y0()};
Physical Surface("wall") = {wall()};
