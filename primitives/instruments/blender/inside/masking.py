"""Where a project uses Mask data-blocks, and how each use is undone for a while. Names never decide."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .timeline import Visit, feeding, is_on, masks_by_strip, shows_sequencer, visits

Undo = Callable[[], None]


@dataclass
class Use:
    """One use of a Mask. `source`: the film whose own strip carries it, where it is a MASK modifier."""

    kind: str  # modifier, node, strip
    key: tuple[int, str]
    mask: Any
    owner: str
    live: bool
    target: Any
    source: str | None = None


def uses(bpy: Any, scene: Any, nesting: int) -> list[Use]:
    """All uses in the order of the walk; one that several places share stands once."""
    found: dict[tuple[int, str], Use] = {}
    for visit in visits(bpy, scene, nesting):
        for use in _of_strip(visit):
            _add(found, use)
    for tree, live in _trees(bpy, scene, nesting):
        for use in _of_tree(tree, live):
            _add(found, use)
    return list(found.values())


def _add(found: dict[tuple[int, str], Use], use: Use) -> None:
    known = found.setdefault(use.key, use)
    known.live = known.live or use.live


def _of_strip(visit: Visit) -> Iterator[Use]:
    strip = visit.strip
    for position, modifier in enumerate(strip.modifiers):
        mask = _mask_of(modifier)
        if mask is not None:
            live = visit.live and is_on(modifier)
            key = (strip.as_pointer(), f"modifier {position}")
            source = _film_of(strip) if modifier.type == "MASK" else None
            yield Use("modifier", key, mask, strip.name, live, modifier, source)
    if strip.type == "MASK" and strip.mask is not None:
        # One that is muted can only feed a modifier, which is a use of its own.
        live = visit.live and not visit.muted
        yield Use("strip", (strip.as_pointer(), "strip"), strip.mask, strip.name, live, strip)


def _film_of(strip: Any) -> str | None:
    if strip.type == "MOVIE":
        return strip.filepath
    return strip.clip.filepath if strip.type == "MOVIECLIP" and strip.clip is not None else None


def _mask_of(modifier: Any) -> Any:
    """The Mask that a modifier is limited by, directly or by a strip made from one."""
    if modifier.input_mask_type == "ID":
        return modifier.input_mask_id
    waiting = [modifier.input_mask_strip] if masks_by_strip(modifier) else []
    seen: set[int] = set()
    while waiting:
        strip = waiting.pop()
        if strip.type == "MASK" and strip.mask is not None:
            return strip.mask
        if strip.as_pointer() not in seen:
            seen.add(strip.as_pointer())
            waiting += feeding(strip) + (list(strip.strips) if strip.type == "META" else [])
    return None


# ---------------------------------------------------------------- compositors


def _trees(bpy: Any, scene: Any, nesting: int) -> Iterator[tuple[Any, bool]]:
    """Every compositor tree with whether it takes part in a render of the scene; each once, live ones first."""
    live: dict[int, Any] = {}
    waiting = [] if shows_sequencer(scene) else _of_scene(scene)
    for visit in visits(bpy, scene, nesting):
        if visit.live:
            waiting += _of_visit(visit)
    while waiting:
        tree = waiting.pop()
        if tree is not None and tree.as_pointer() not in live:
            live[tree.as_pointer()] = tree
            waiting += _inside(tree)
    yield from ((tree, True) for tree in live.values())
    for tree in bpy.data.node_groups:
        if tree.bl_idname == "CompositorNodeTree" and tree.as_pointer() not in live:
            yield tree, False


def _of_scene(scene: Any) -> list[Any]:
    return [scene.compositing_node_group] if scene.render.use_compositing else []


def _of_visit(visit: Visit) -> list[Any]:
    strip = visit.strip
    found = [m.node_group for m in strip.modifiers if m.type == "COMPOSITOR" and is_on(m)]
    if strip.type == "SCENE" and strip.scene is not None and strip.scene_input == "CAMERA":
        found += _of_scene(strip.scene)
    return found


def _inside(tree: Any) -> list[Any]:
    """Groups in a tree, and the compositors of scenes that it takes pictures from."""
    found = []
    for node in tree.nodes:
        if node.mute:
            continue
        found.append(getattr(node, "node_tree", None))
        if node.bl_idname == "CompositorNodeRLayers" and node.scene is not None:
            found += _of_scene(node.scene)
    return found


def _of_tree(tree: Any, live: bool) -> Iterator[Use]:
    for position, node in enumerate(tree.nodes):
        if node.bl_idname == "CompositorNodeMask" and node.mask is not None:
            linked = any(output.is_linked for output in node.outputs) and not node.mute
            key = (tree.as_pointer(), f"node {position}")
            yield Use("node", key, node.mask, tree.name, live and linked, node)


# ---------------------------------------------------------------- undoing a use


def ways(use: Use) -> list[str]:
    """How a use can be bypassed."""
    if use.kind != "modifier":
        return ["constant 0", "constant 1"]
    return ["muted"] if use.target.type == "MASK" else ["muted", "unmasked"]


def bypass(bpy: Any, use: Use, way: str) -> Undo:
    """Bypass a use; what is returned puts everything back."""
    if use.kind != "modifier":
        return _assigned(use.target, "mask", _constant_mask(bpy, way == "constant 1"))
    if way == "muted":
        return _assigned(use.target, "mute", True)
    return _assigned(use.target, "input_mask_id" if use.target.input_mask_type == "ID" else "input_mask_strip", None)


def _assigned(owner: Any, name: str, value: Any) -> Undo:
    before = getattr(owner, name)
    setattr(owner, name, value)
    return lambda: setattr(owner, name, before)


def _constant_mask(bpy: Any, full: bool) -> Any:
    """A Mask that covers nothing, or everything at any aspect."""
    mask = bpy.data.masks.new("constant")
    if full:
        spline = mask.layers.new(name="everything").splines.new()
        spline.use_cyclic = True
        spline.points.add(3)
        for point, corner in zip(spline.points, ((-9, -9), (-9, 9), (9, 9), (9, -9)), strict=True):
            point.co = point.handle_left = point.handle_right = corner
    return mask
