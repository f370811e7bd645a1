"""Hashes and sizes of files; the hash of `abc` is FIPS 180-4's example."""

import pytest

from rubric.primitives import files
from rubric.primitives.faults import ArgumentFault


def test_a_file_has_a_hash_and_a_size(tmp_path):
    file = tmp_path / "abc"
    file.write_bytes(b"abc")
    assert files.sha256(str(file)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert files.size(str(file)) == 3


@pytest.mark.parametrize("what", ["", "/no/such/file", "/", None, 7])
@pytest.mark.parametrize("measure", [files.sha256, files.size])
def test_what_is_no_file_is_refused(measure, what):
    with pytest.raises(ArgumentFault, match="is not a file"):
        measure(what)
