"""The case: files are closed solids that fit the bed; parts fit each other and the electronics."""

from collections import Counter

import pytest

from hardware import tables
from hardware.generate import SOLIDS
from hardware.wiring import load

BED_MM = 180.0
NOTHING = 1e-6  # cubic mm


# ------------------------------------------------------------------- the files: no library
@pytest.fixture(scope="module", params=sorted(tables.PRINTED))
def stl(request):
    path = SOLIDS / f"{request.param}.stl"
    return path, tables.read_stl(path)


def test_file_is_one_closed_solid_turned_outwards(stl):
    path, triangles = stl
    edges = Counter()
    for a, b, c in triangles:
        assert a != b and b != c and c != a, "a triangle has no area"
        edges.update([(a, b), (b, c), (c, a)])
    # closed: each edge is there once in each direction; so all faces look to one side
    assert all(count == 1 for count in edges.values())
    assert all((b, a) in edges for a, b in edges)
    _, volume = tables.stl_size(triangles)
    assert volume > 500, "inside out"
    # one piece: everything hangs together
    near = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
    seen, todo = set(), [triangles[0][0]]
    while todo:
        corner = todo.pop()
        if corner not in seen:
            seen.add(corner)
            todo += near[corner]
    assert len(seen) == len(near), path.name


def test_file_fits_the_bed_and_lies_on_it(stl):
    path, triangles = stl
    (width, depth, height), _ = tables.stl_size(triangles)
    assert width <= BED_MM and depth <= BED_MM and height <= 60
    low = min(corner[2] for triangle in triangles for corner in triangle)
    assert abs(low) < 1e-6
    assert path.stat().st_size < 1_000_000


def test_file_needs_no_supports(stl):
    """Faces that look steeply down lie on the bed or are small enough to bridge."""
    path, triangles = stl
    hanging = 0.0
    for a, b, c in triangles:
        u = [b[i] - a[i] for i in range(3)]
        v = [c[i] - a[i] for i in range(3)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        size = (n[0] ** 2 + n[1] ** 2 + n[2] ** 2) ** 0.5
        if size and n[2] / size < -0.75 and min(a[2], b[2], c[2]) > 0.05:  # steeper than 45 degrees
            hanging += size / 2
    # what remains and is bridged: the USB hole's upper edge, the letters on the face that lies
    # down, the ends of the sockets in the caps
    limits = {"bottom": 40, "lid": 120, "cap": 20}
    assert hanging < limits[path.stem.split("-")[0]], f"{hanging:.0f} square mm hang"


def test_nothing_else_lies_with_the_files():
    assert {path.stem for path in SOLIDS.iterdir()} == set(tables.PRINTED)


# -------------------------------------------------------------- the model: needs manifold3d
@pytest.fixture(scope="module")
def model():
    pytest.importorskip("manifold3d", reason='pip install "bazzi[hardware]"')
    pytest.importorskip("matplotlib", reason='pip install "bazzi[hardware]"')
    from hardware.enclosure import model

    return model


@pytest.fixture(scope="module")
def case(model):
    return model.Case.load()


@pytest.fixture(scope="module")
def lid(case):
    return case.lid()


@pytest.fixture(scope="module")
def bottom(case):
    return case.bottom()


def common(a, b):
    return (a ^ b).volume()


def test_files_are_what_the_model_makes_now(model, case, stl):
    path, triangles = stl
    size, volume = tables.stl_size(triangles)
    solid = model.printable(case, path.stem)
    x0, y0, z0, x1, y1, z1 = solid.bounding_box()
    assert size == pytest.approx([x1 - x0, y1 - y0, z1 - z0], abs=0.01)
    assert volume == pytest.approx(solid.volume(), rel=1e-3)


def test_parts_list_of_the_model_is_that_of_the_tables(model):
    assert set(model.PARTS) == set(tables.PRINTED)
    with pytest.raises(ValueError, match="no part"):
        model.printable(None, "roof")


def test_lid_and_bottom_meet_without_cutting_each_other(case, lid, bottom):
    assert common(lid, bottom) < NOTHING
    assert common(lid.translate((0, 0, -0.1)), bottom) > 1  # they do touch


def test_screws_pass_the_bottom_and_end_in_the_inserts(model, case, lid, bottom):
    screw = case.params["screw"]
    for x, y in case.corner_screws():
        shaft = model.rod(3.0, screw["length_mm"], x, y, 0.3)
        assert common(shaft, bottom) < NOTHING
        assert common(shaft, lid) < NOTHING
        insert = model.rod(screw["insert_hole_mm"] + 0.4, 5.0, x, y, screw["split_mm"] + 0.3)
        assert common(insert, lid) > 1  # it melts itself into the post
        assert common(shaft, insert) > 3.14 * 1.5**2 * 4.5  # at least 4.5 mm of thread


@pytest.mark.parametrize("key", load().keys["order"])
def test_cap_moves_freely_in_its_hole_and_cannot_fall_out(case, lid, key):
    cap = case.cap(key)
    travel = case.params["keys"]["travel_mm"]
    for dx, dy in ((0, 0), (0.35, 0), (0, 0.35), (-0.25, -0.25)):
        for dz in (0, -travel / 2, -travel):
            assert common(cap.translate((dx, dy, dz)), lid) < NOTHING
    assert common(cap.translate((0, 0, 1.5)), lid) > 1
    # the switch fits in, at rest and pressed, and no cap touches its neighbour
    assert common(cap, case.switch_dummy(key)) < NOTHING
    assert common(cap, case.key_board_dummy()) < NOTHING
    for other in case.key_places():
        if other != key:
            assert common(cap, case.cap(other)) < NOTHING


def test_caps_lie_over_their_switches_and_holes(case, lid, model):
    wiring = load()
    cx, cy = case.params["keys"]["centre_mm"]
    for key, (x, y) in case.key_places().items():
        hx, hy = wiring.keyboard.keys[key]
        assert (x, y) == pytest.approx((cx + hx * 2.54, cy + hy * 2.54))
        assert common(model.rod(14.5, 30, x, y, 20), lid) < NOTHING  # through the lid


def test_arrows_point_at_the_four_seats(case):
    wiring = load()
    towards = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
    for key, part in wiring.key_parts.items():
        if not part.seat:
            continue
        # the key lies on that side of OK ...
        x, y = wiring.keyboard.keys[key]
        dx, dy = towards[part.seat]
        assert (x, y) == (8 * dx, 8 * dy)
        # ... and its arrow is pointed there and blunt at the other end
        shape = case.sign(key)
        points = [p for polygon in shape.to_polygons() for p in polygon]
        along = [p[0] * dx + p[1] * dy for p in points]
        across = [abs(p[0] * dy) + abs(p[1] * dx) for p in points]
        tips = [w for a, w in zip(along, across, strict=True) if a > max(along) - 0.1]
        ends = [w for a, w in zip(along, across, strict=True) if a < min(along) + 0.1]
        assert max(tips) < 0.1 < max(ends)


@pytest.mark.parametrize("name", ["0.96in", "1.3in", "1.54in", "2.42in"])
def test_display_fits_its_lid_and_shows_every_pixel(case, model, bottom, name):
    lid = case.lid(name)
    board, glass = case.display_dummy(name), case.glass_dummy(name)
    for part in (board, glass):
        assert common(part, lid) < NOTHING
        assert common(part, bottom) < NOTHING
        assert common(part, case.key_board_dummy()) < NOTHING
    width, depth = case.display(name)["active_mm"]
    x, y = case.active_centre(name)
    assert common(model.box(width, depth, 30, x, y, 20), lid) < NOTHING
    # pixels lie on the glass, the washers over the board
    assert common(
        model.box(width, depth, 0.1, x, y, glass.bounding_box()[2]), glass
    ) == pytest.approx(width * depth * 0.1, rel=1e-6)
    for sx, sy in case.display_screws(name):
        washer = model.rod(7.0, 0.5, sx, sy, board.bounding_box()[2])
        assert common(washer, board) > 0.5
        assert common(model.rod(1.5, 3.0, sx, sy, board.bounding_box()[2]), lid) < 0.5  # the hole


def test_electronics_fit_into_the_closed_box(case, lid, bottom):
    for part in (case.pico_dummy(), case.key_board_dummy()):
        assert common(part, lid) < NOTHING
        assert common(part, bottom) < NOTHING


def test_screws_of_pico_and_key_board_meet_their_posts(case, model, lid, bottom):
    pico = case.params["pico"]
    top = case.params["box"]["floor_mm"] + pico["standoff_mm"]
    for x, y in case.pico_screws():
        assert common(model.rod(1.5, 3.5, x, y, top - 3.5), bottom) < NOTHING
        assert common(model.rod(3.0, 3.0, x, y, top - 3.0), bottom) > 5
        assert common(model.rod(2.0, 9, x, y, top), case.pico_dummy()) < NOTHING
    board = case.key_board_top
    for x, y in case.key_board_screws():
        assert common(model.rod(1.5, 4.4, x, y, board), lid) < NOTHING
        assert common(model.rod(3.0, 4.0, x, y, board), lid) > 5
        assert common(model.rod(2.0, 9, x, y, board - 5), case.key_board_dummy()) < NOTHING


def test_usb_plug_passes_the_wall(case, model, bottom):
    x, _ = case.pico_centre()
    plug = model.box(11.5, 14, 7.5, x, case.outside[1] / 2 + 5, case.usb_centre_z() - 3.75)
    assert common(plug, bottom) < NOTHING


def test_battery_holder_fits_under_the_display(case, model, lid, bottom):
    x, y = case.params["battery"]["centre_mm"]
    holder = model.box(52, 38, 14, x, y, case.params["box"]["floor_mm"])
    for part in (lid, bottom, case.pico_dummy(), case.display_dummy(), case.key_board_dummy()):
        assert common(holder, part) < NOTHING


def test_switch_hole_is_cut_through_wall_e_only_on_request(model, case, bottom):
    import copy

    other = model.Case(copy.deepcopy(case.params), case.wiring)
    other.params["battery"]["switch_hole_mm"] = [9.0, 4.5]
    y, z = case.params["battery"]["switch_at_mm"]
    probe = model.box(6, 8.5, 4.0, case.outside[0] / 2, y, z - 2.0)
    assert common(probe, other.bottom()) < NOTHING < common(probe, bottom)
    assert common(probe, case.key_board_dummy()) < NOTHING


def test_changed_sizes_still_give_a_case_that_closes(model, case):
    import copy

    other = model.Case(copy.deepcopy(case.params), case.wiring)
    other.params["box"].update(height_mm=36.0, wall_mm=3.0, inside_mm=[110.0, 120.0])
    lid, bottom = other.lid(), other.bottom()
    assert common(lid, bottom) < NOTHING
    assert len(lid.decompose()) == len(bottom.decompose()) == 1
    for key in other.key_places():
        assert common(other.cap(key), lid) < NOTHING
        assert common(other.cap(key), other.switch_dummy(key)) < NOTHING


def test_lid_for_another_display_can_be_written(model, tmp_path, capsys):
    out = tmp_path / "lid.stl"
    assert model.main(["--display", "2.42in", "-o", str(out)]) == 0
    assert out.read_bytes() == (SOLIDS / "lid-2.42in.stl").read_bytes()
    assert "lid-2.42in" in capsys.readouterr().out
