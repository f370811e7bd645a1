"""What of a project's settings the renders replace: where and how is written, what could go stale, what is elsewhere.

The project keeps what decides the picture: size, aspect, border, rate, range, look, engine.
"""

from typing import Any


def prepare(bpy: Any, scene: Any) -> None:
    """Settings for every render, of all scenes and compositors."""
    for window in bpy.context.window_manager.windows:
        window.scene = scene
        window.workspace.sequencer_scene = scene  # modifiers crash without one
    for each in bpy.data.scenes:
        each.render.compositor_device = "CPU"  # the same pixels on every machine
        each.render.use_render_cache = False
        editor = each.sequence_editor
        if editor is not None:  # the caches miss changes of masks
            editor.use_cache_raw = editor.use_cache_final = editor.use_prefetch = False
    _mute_writers(bpy)
    render = scene.render
    render.use_file_extension = render.use_stamp = render.use_placeholder = False
    render.use_overwrite = True
    scene.frame_step = 1


def _mute_writers(bpy: Any) -> None:
    """Nodes that write files of their own."""
    for tree in bpy.data.node_groups:
        for node in tree.nodes:
            if node.bl_idname == "CompositorNodeOutputFile":
                node.mute = True


def write_pictures(render: Any) -> None:
    """PNG with 8 bits a channel and no alpha."""
    settings = render.image_settings
    settings.media_type = "IMAGE"
    settings.file_format, settings.color_mode, settings.color_depth = "PNG", "RGB", "8"
    settings.compression = 15
    settings.color_management = "FOLLOW_SCENE"


def write_video(render: Any) -> None:
    """H.264 in MP4 with stereo AAC, so fine that what differs from a master is not the coding of this copy."""
    settings = render.image_settings
    settings.media_type = "VIDEO"
    settings.file_format, settings.color_mode = "FFMPEG", "RGB"
    settings.color_management = "FOLLOW_SCENE"
    coding = render.ffmpeg
    coding.format, coding.codec = "MPEG4", "H264"
    coding.use_lossless_output = coding.use_autosplit = coding.use_max_b_frames = False
    coding.constant_rate_factor, coding.ffmpeg_preset, coding.gopsize = "PERC_LOSSLESS", "GOOD", 25
    coding.audio_codec, coding.audio_channels = "AAC", "STEREO"
    coding.audio_mixrate, coding.audio_bitrate, coding.audio_volume = 48000, 320, 1.0
