// A quarter (x > 0, y > 0) of two balls of metal along z, a ball of air about both, and one about that [mm].
DefineConstant[ r = {30}, s = {50}, near = {95}, outer = {130}, fine = {10}, coarse = {24} ];
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, s, r, -Pi/2, Pi/2, Pi/2};
Sphere(2) = {0, 0, -s, r, -Pi/2, Pi/2, Pi/2};
Sphere(3) = {0, 0, 0, near, -Pi/2, Pi/2, Pi/2};
Sphere(4) = {0, 0, 0, outer, -Pi/2, Pi/2, Pi/2};
BooleanFragments{ Volume{1:4}; Delete; }{}
e = 1e-3;
upper() = Volume In BoundingBox{-e, -e, s-r-e, r+e, r+e, s+r+e};
lower() = Volume In BoundingBox{-e, -e, -s-r-e, r+e, r+e, -s+r+e};
inner() = Volume In BoundingBox{-e, -e, -near-e, near+e, near+e, near+e};
inner() -= upper(); inner() -= lower();
x0() = Surface In BoundingBox{-e, -outer-e, -outer-e, e, outer+e, outer+e};
y0() = Surface In BoundingBox{-outer-e, -e, -outer-e, outer+e, e, outer+e};
up() = Surface In BoundingBox{-e, -e, s-r-e, r+e, r+e, s+r+e};
low() = Surface In BoundingBox{-e, -e, -s-r-e, r+e, r+e, -s+r+e};
within() = Surface In BoundingBox{-e, -e, -near-e, near+e, near+e, near+e};
S() = Surface{:};
S() -= within(); S() -= x0(); S() -= y0();
within() -= up(); within() -= low(); within() -= x0(); within() -= y0();
cut_x() = Surface In BoundingBox{-e, -e, -s-r-e, e, r+e, s+r+e};
cut_y() = Surface In BoundingBox{-e, -e, -s-r-e, r+e, e, s+r+e};
up() -= x0(); up() -= y0(); low() -= x0(); low() -= y0();
outside() = Volume{:}; outside() -= inner(); outside() -= upper(); outside() -= lower();
MeshSize{ PointsOf{ Volume{:}; } } = coarse;
MeshSize{ PointsOf{ Surface{up(), low()}; } } = fine;
Delete{ Volume{upper(), lower()}; }
x0() -= cut_x(); y0() -= cut_y();
Physical Volume("inner") = {inner()};
Physical Volume("outer") = {outside()};
Physical Surface("up") = {up()};
Physical Surface("low") = {low()};
Physical Surface("near") = {within()};
Physical Surface("S") = {S()};
Physical Surface("x0") = {x0()};
Physical Surface("y0") = {y0()};
