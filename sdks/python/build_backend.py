"""Builds the wheel with only the standard library, so that `pip install` of the served archive needs no other package."""

import base64
import hashlib
import os
import zipfile

ROOT = os.path.dirname(os.path.abspath(__file__))


def _read_project():
    """Returns name, version, description and the oldest Python of pyproject.toml, whose lines are `key = "value"`."""
    project = {}
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as lines:
        section = ""
        for line in lines:
            line = line.strip()
            if line.startswith("["):
                section = line
            elif section == "[project]" and " = " in line:
                key, value = line.split(" = ", 1)
                project[key] = value.strip('"')
    return project


def _list_sources():
    folder = os.path.join(ROOT, "steward_sdk")
    return ["steward_sdk/" + name for name in sorted(os.listdir(folder)) if name.endswith(".py") or name == "py.typed"]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _read_project()
    stem = "{}-{}".format(project["name"].replace("-", "_"), project["version"])
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as readme:
        metadata = (
            "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: {description}\nLicense: {license}\n"
            "Requires-Python: {requires-python}\nDescription-Content-Type: text/markdown\n\n"
        ).format(**project) + readme.read()
    files = {}
    for path in _list_sources():
        with open(os.path.join(ROOT, path), "rb") as source:
            files[path] = source.read()
    info = stem + ".dist-info"
    files[info + "/METADATA"] = metadata.encode("utf-8")
    files[info + "/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: steward\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    records = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        records.append("{},sha256={},{}".format(path, digest, len(content)))
    files[info + "/RECORD"] = ("\n".join(records + [info + "/RECORD,,"]) + "\n").encode("utf-8")
    name = stem + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the service serves the source distribution")
