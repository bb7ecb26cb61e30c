"""What Binder's base image brings, read from the installed repo2docker."""

import re
from importlib.metadata import distribution
from pathlib import Path

REPO2DOCKER = Path(str(distribution("jupyter-repo2docker").locate_file("repo2docker")))
LOCK = REPO2DOCKER / "buildpacks" / "conda" / "environment.py-3.12-linux-64.lock"

# conda's names of what PyPI calls otherwise
RENAMED = {"nbconvert-core": "nbconvert", "python-fastjsonschema": "fastjsonschema", "jupyterhub-base": "jupyterhub"}


def base_pins() -> dict[str, str]:
    """Name -> version of each package in the base image for Python 3.12, by its name on PyPI."""
    found = {}
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        if package := re.search(r"/([^/]+)-([^-/]+)-[^-/]+\.(?:conda|tar\.bz2)#", line):
            name = package[1].lower().replace("_", "-")
            found[RENAMED.get(name, name)] = package[2]
    return found
