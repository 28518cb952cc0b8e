"""Pictures: values lie where they should, and names can't break out of the SVG."""

import re
from xml.etree import ElementTree

from linkmask.testbench.pictures import EDGE, TALL, WIDE, Frame, Point, lines, points, squares


def test_corners_of_a_frame_are_the_corners_of_its_values() -> None:
    frame = Frame(0.0, 2.0, 0.5, 1.0)
    assert (frame.x(0.0), frame.y(0.5)) == (EDGE, TALL - EDGE)
    assert (frame.x(2.0), frame.y(1.0)) == (WIDE - EDGE, EDGE)
    assert frame.x(1.0) == WIDE / 2
    assert Frame(1.0, 100.0, 0.0, 1.0, logarithmic=True).x(10.0) == WIDE / 2


def test_points_of_one_group_are_joined_from_left_to_right() -> None:
    some = [Point("a[2]", "a", 0.8, 0.5), Point("b", "b", 0.1, 0.2), Point("a[1]", "a", 0.2, 0.4)]
    svg = points(some, "x", "y", "t")
    (line,) = re.findall(r'<polyline points="([^"]+)"', svg)
    xs = [float(pair.split(",")[0]) for pair in line.split()]
    assert xs == sorted(xs)
    assert len(xs) == 2
    assert svg.count("<circle") == 3


def test_a_level_is_drawn_from_edge_to_edge() -> None:
    svg = lines({"curve": [(0.0, 0.2), (1.0, 0.4)]}, "x", "y", "t", top=1.0, level={"base": 0.5})
    middle = TALL / 2
    assert f"{EDGE:.1f},{middle:.1f} {WIDE - EDGE:.1f},{middle:.1f}" in svg


def test_counts_are_written_whole_and_shares_with_two_digits() -> None:
    assert ">50</text>" in lines({"a": [(0.0, 31.0), (1.0, 2.0)]}, "x", "y", "t")
    assert ">0.40</text>" in lines({"a": [(0.0, 0.3), (1.0, 0.2)]}, "x", "y", "t", top=1.0)


def test_any_name_leaves_well_formed_xml_without_addresses() -> None:
    name = '<script src="//x">&"'
    for svg in (
        points([Point(name, "g", 0.1, 0.2, (0.0, 0.2), (0.1, 0.3))], name, name, name),
        lines({name: [(1.0, 1.0)], "other": []}, name, name, name),
        lines({name: [(1.0, 40.0)]}, name, name, name),
        lines({}, "x", "y", "t"),
        points([], "x", "y", "t"),
        squares(["0"], ["0"], [[1.0]], name, name, name),
    ):
        tree = ElementTree.fromstring(svg)
        assert {node.tag for node in tree.iter()} <= {
            "svg", "line", "text", "polyline", "circle", "rect",
        }  # fmt: skip
