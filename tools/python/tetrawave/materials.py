"""Materials and metals of every day, as values for a case's `materials` and `boundaries.conductor`.

>>> import tetrawave as tw
>>> case = tw.Case(materials={"air": tw.materials.vacuum, "board": tw.materials.ro4003c})
>>> case.materials.board
{'eps_r': 3.55, 'loss_tangent': 0.0027}
>>> case.boundaries.conductor = {"strip": tw.materials.copper}

Laminates: design permittivity and loss tangent at 10 GHz of Rogers' data sheets; RT/duroid 6010 at its process value. A
batch differs by a percent or two, FR-4 by ten: measure where it matters. Conductivities at 20 degrees Celsius.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .case_types import Material

vacuum: "Material" = {}
ptfe: "Material" = {"eps_r": 2.1, "loss_tangent": 0.0003}
polyethylene: "Material" = {"eps_r": 2.25, "loss_tangent": 0.0003}
fr4: "Material" = {"eps_r": 4.3, "loss_tangent": 0.02}
ro4003c: "Material" = {"eps_r": 3.55, "loss_tangent": 0.0027}
ro4350b: "Material" = {"eps_r": 3.66, "loss_tangent": 0.0037}
duroid_5880: "Material" = {"eps_r": 2.2, "loss_tangent": 0.0009}
duroid_6010: "Material" = {"eps_r": 10.2, "loss_tangent": 0.0023}
alumina: "Material" = {"eps_r": 9.8, "loss_tangent": 0.0001}
fused_silica: "Material" = {"eps_r": 3.78, "loss_tangent": 0.0001}
# Kaatze, J. Chem. Eng. Data 34 (1989) 371, at 25 degrees Celsius.
water: "Material" = {"eps_r": 5.2, "electric_dispersion": [{"model": "debye", "eps_static": 78.36, "tau": "8.27 ps"}]}

silver = "6.3e7 S/m"
copper = "5.8e7 S/m"
gold = "4.1e7 S/m"
aluminium = "3.8e7 S/m"
brass = "1.5e7 S/m"
