"""Makes Blender projects, inside Blender: `python make_projects.py FOLDER`. Originals lie in `FOLDER/../input`.

Every function of this file whose name has no underscore in front makes one project, saved under its name.
Frames are 96 x 54 at 25 a second; the guide is the film `a.mp4`, the plate `b.mp4`.
"""

import sys
from pathlib import Path

import bpy

FOLDER = Path(sys.argv[1])
PAYLOAD = FOLDER / "payload-ran"
WIDTH, HEIGHT, FRAMES = 96, 54, 10


def _scene(frames=FRAMES):
    scene = bpy.context.scene
    _shape(scene, frames)
    return scene, scene.sequence_editor_create()


def _shape(scene, frames=FRAMES):
    scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.render.fps, scene.frame_start, scene.frame_end = 25, 1, frames
    scene.view_settings.view_transform = "Standard"


def _film(strips, name, channel, start=1, file=None, length=FRAMES):
    strip = strips.new_movie(name, str(FOLDER.parent / "input" / (file or "a.mp4")), channel, start)
    strip.frame_final_duration = length
    return strip


def _mask(name="left half"):
    """The left half of the frame."""
    mask = bpy.data.masks.new(name)
    spline = mask.layers.new(name="layer").splines.new()
    spline.use_cyclic = True
    spline.points.add(3)
    for point, corner in zip(spline.points, ((-1, -1), (-1, 2), (0.5, 2), (0.5, -1)), strict=True):
        point.co = point.handle_left = point.handle_right = corner
    return mask


def _modifier(strip, mask, kind="MASK"):
    bpy.context.window_manager.windows[0].workspace.sequencer_scene = bpy.context.scene
    modifier = strip.modifiers.new("any name", kind)
    if mask is not None:
        modifier.input_mask_type = "ID"
        modifier.input_mask_id = mask
    return modifier


def _tree(mask, *, group=False):
    """Red where the mask is; the Mask node may lie in a group."""
    tree = bpy.data.node_groups.new("tree", "CompositorNodeTree")
    tree.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
    owner = bpy.data.node_groups.new("inner", "CompositorNodeTree") if group else tree
    node = owner.nodes.new("CompositorNodeMask")
    node.mask = mask
    output = node.outputs[0]
    if group:
        owner.interface.new_socket("Value", in_out="OUTPUT", socket_type="NodeSocketFloat")
        owner.links.new(output, owner.nodes.new("NodeGroupOutput").inputs[0])
        placed = tree.nodes.new("CompositorNodeGroup")
        placed.node_tree = owner
        output = placed.outputs[0]
    over = tree.nodes.new("CompositorNodeAlphaOver")
    over.inputs["Background"].default_value = (0, 0, 0, 1)
    over.inputs["Foreground"].default_value = (1, 0, 0, 1)
    tree.links.new(output, over.inputs["Factor"])
    tree.links.new(over.outputs[0], tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree


# ---------------------------------------------------------------- projects that work


def plain():
    """The guide in a META strip over the plate, which an effect shows at its own speed; sound; a picture; a strip off
    by its channel.
    """
    _, editor = _scene()
    _film(editor.strips, "plate", 1, file="b.mp4")
    meta = editor.strips.new_meta("guide", 4, 1)
    meta.frame_final_duration = FRAMES
    _modifier(_film(meta.strips, "guide film", 1), _mask())
    editor.strips.new_sound("sound", str(FOLDER.parent / "input" / "a.mp4"), 5, 1)
    picture = editor.strips.new_image("picture", str(FOLDER.parent / "input" / "overlay.png"), 6, 7)
    picture.frame_final_duration = 3
    _film(editor.strips, "off", 7, start=3, length=4)
    editor.channels[7].mute = True


def effects():
    """A muted film that only an effect shows: it is used all the same, with its mask."""
    _, editor = _scene()
    film = _film(editor.strips, "film", 1)
    film.mute = True
    _modifier(film, _mask())
    editor.strips.new_effect("speed", "SPEED", 2, 1, length=FRAMES, input1=film)


def nested():
    """Frames 3 to 8 show frames 11 to 16 of a scene that starts at 11."""
    plain()
    scene = bpy.context.scene
    scene.name = "any"
    scene.frame_start, scene.frame_end = 1, FRAMES
    top = bpy.data.scenes.new("top")
    _shape(top)
    strip = top.sequence_editor_create().strips.new_scene("inner", scene, 1, 3)
    strip.scene_input = "SEQUENCER"
    strip.frame_final_duration = 6
    off = top.sequence_editor.strips.new_scene("muted", scene, 2, 3)
    off.scene_input, off.mute = "SEQUENCER", True
    bpy.data.scenes.new("planning").sequence_editor_create().strips.new_mask("unused", _mask("other"), 1, 1)
    bpy.context.window_manager.windows[0].scene = top


def redundant():
    """Two MASK modifiers on the guide; each alone does what both do."""
    _, editor = _scene()
    _film(editor.strips, "plate", 1, file="b.mp4")
    guide = _film(editor.strips, "guide", 2)
    mask = _mask()
    _modifier(guide, mask)
    _modifier(guide, mask)


def modifiers():
    """A mask that limits another modifier, and one that is off."""
    _, editor = _scene()
    film = _film(editor.strips, "film", 1)
    mask = _mask()
    _modifier(film, mask, "BRIGHT_CONTRAST").bright = -200
    _modifier(film, mask).mute = True
    _modifier(film, mask).enable = False


def mask_strip():
    """A MASK strip multiplied over the guide."""
    _, editor = _scene()
    _film(editor.strips, "guide", 1)
    strip = editor.strips.new_mask("mask", _mask(), 2, 1)
    strip.frame_final_duration = FRAMES
    strip.blend_type = "MULTIPLY"


def fed_by_strip():
    """A MASK modifier that takes its mask from a muted MASK strip by way of an effect, and one fed by a film."""
    _, editor = _scene()
    strip = editor.strips.new_mask("mask", _mask(), 1, 1)
    strip.frame_final_duration = FRAMES
    blurred = editor.strips.new_effect("blurred", "GAUSSIAN_BLUR", 2, 1, length=FRAMES, input1=strip)
    strip.mute = blurred.mute = True
    guide = _film(editor.strips, "guide", 3)
    modifier = _modifier(guide, None)
    modifier.input_mask_type, modifier.input_mask_strip = "STRIP", blurred
    other = _film(editor.strips, "matte", 4, file="b.mp4")
    other.mute = True
    modifier = _modifier(guide, None)
    modifier.input_mask_type, modifier.input_mask_strip = "STRIP", other


def compositor_modifier():
    """A Mask node in a group, in a strip's COMPOSITOR modifier."""
    _, editor = _scene()
    _modifier(_film(editor.strips, "film", 1), None, "COMPOSITOR").node_group = _tree(_mask(), group=True)


def compositor():
    """No timeline: the scene's compositor, with nodes that write files; a tree that is not used."""
    _shape(bpy.context.scene)
    tree = bpy.context.scene.compositing_node_group = _tree(_mask())
    writer = tree.nodes.new("CompositorNodeOutputFile")
    writer.directory = str(FOLDER)
    writer.file_output_items.new("RGBA", "written")
    over = next(node for node in tree.nodes if node.bl_idname == "CompositorNodeAlphaOver")
    tree.links.new(over.outputs[0], writer.inputs[0])
    _tree(_mask("unused"))


def own_output():
    """Settings that write elsewhere, in another format, with a stamp, every second frame."""
    scene, editor = _scene()
    _film(editor.strips, "film", 1)
    scene.frame_step = 2
    scene.render.filepath = str(FOLDER / "written")
    scene.render.image_settings.file_format = "JPEG"
    scene.render.use_stamp = True
    scene.render.use_placeholder = True
    editor.use_cache_final = True


def open_meta():
    """Saved while the guide's META strip was open for editing, of which alone a render shows something."""
    plain()
    editor = bpy.context.scene.sequence_editor
    editor.display_stack(next(strip for strip in editor.strips if strip.type == "META"))


# ---------------------------------------------------------------- hostile projects


def scripted_driver():
    _, editor = _scene()
    film = _film(editor.strips, "film", 1)
    driver = film.driver_add("blend_alpha").driver
    driver.type = "SCRIPTED"
    driver.expression = f"__import__('pathlib').Path({str(PAYLOAD)!r}).touch() or 1"


def register_text():
    _, editor = _scene()
    _film(editor.strips, "film", 1)
    text = bpy.data.texts.new("register.py")
    text.write(f"import pathlib\npathlib.Path({str(PAYLOAD)!r}).touch()\ndef register():\n    pass\n")
    text.use_module = True


def subdivision_bomb():
    """Safe to open; from the second frame on more geometry than any memory holds."""
    scene = bpy.context.scene
    _shape(scene)
    scene.render.engine = "CYCLES"
    bomb = bpy.data.objects["Cube"]
    for _ in range(3):
        bomb.modifiers.new("level", "SUBSURF").levels = 6
        bomb.modifiers[-1].render_levels = 6
    for frame, hidden in ((1, True), (2, False)):
        bomb.hide_render = bomb.hide_viewport = hidden
        bomb.keyframe_insert("hide_render", frame=frame)
        bomb.keyframe_insert("hide_viewport", frame=frame)
    scene.frame_set(1)


def huge_frames():
    scene, editor = _scene()
    _film(editor.strips, "film", 1)
    scene.render.resolution_x = scene.render.resolution_y = 65536


def huge_range():
    _, editor = _scene(1_000_000)
    _film(editor.strips, "film", 1)


def scene_loop():
    scene, editor = _scene()
    _film(editor.strips, "film", 1)
    other = bpy.data.scenes.new("other")
    _shape(other)
    for inner, outer in ((other, scene), (scene, other)):
        strip = outer.sequence_editor_create().strips.new_scene("loop", inner, 3, 1)
        strip.scene_input = "SEQUENCER"
        strip.frame_final_duration = FRAMES


def doubling():
    """Scenes that show the next one twice: 2^20 strips to walk."""
    scene, _ = _scene()
    for number in range(20):
        inner = bpy.data.scenes.new(f"level {number}")
        _shape(inner)
        for channel in (1, 2):
            strip = scene.sequence_editor_create().strips.new_scene("twice", inner, channel, 1)
            strip.scene_input = "SEQUENCER"
            strip.frame_final_duration = FRAMES
        scene = inner


def deep_metas():
    _, editor = _scene()
    strips = editor.strips
    for _ in range(60):
        meta = strips.new_meta("deeper", 1, 1)
        meta.frame_final_duration = FRAMES
        strips = meta.strips
    _film(strips, "film", 1)


def library_link():
    bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "library.blend"), copy=True)
    _, editor = _scene()
    _film(editor.strips, "film", 1)
    with bpy.data.libraries.load(str(FOLDER / "library.blend"), link=True) as (there, here):
        here.objects = list(there.objects)
    bpy.context.scene.collection.objects.link(here.objects[0])


def outside_picture():
    _, editor = _scene()
    _film(editor.strips, "film", 1)
    editor.strips.new_image("matte", str(FOLDER / "matte.png"), 2, 1)
    editor.strips.new_movie("system", "/etc/passwd", 3, 1)


def packed_pictures():
    """One as it was supplied, one painted over, one that stands for nothing."""
    _, editor = _scene()
    _film(editor.strips, "film", 1)
    for name in ("whole", "painted", "own"):
        if name == "own":
            image = bpy.data.images.new(name, 8, 8)
        else:
            image = bpy.data.images.load(str(FOLDER.parent / "input" / "overlay.png"))
            image.name = name
        if name != "whole":
            image.pixels[0:4] = (1, 0, 1, 1)
            image.update()
        image.pack()
        image.use_fake_user = True
    bpy.data.images.new("generated", 8, 8).use_fake_user = True


def _main():
    for name, make in list(globals().items()):
        if callable(make) and not name.startswith("_") and getattr(make, "__module__", "") == "__main__":
            bpy.ops.wm.read_factory_settings()
            bpy.context.preferences.filepaths.save_version = 0
            make()
            path = FOLDER / f"{name}.blend"
            bpy.ops.wm.save_as_mainfile(filepath=str(path))
            bpy.ops.file.make_paths_relative()
            bpy.ops.wm.save_mainfile(filepath=str(path))


_main()
