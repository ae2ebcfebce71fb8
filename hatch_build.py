"""Writes the bill of materials of a wheel (CycloneDX, PEP 770) while it is built: from what goes into it."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.requirements import Requirement


class BillOfMaterials(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the bill to every wheel."""

    PLUGIN_NAME = "custom"
    _folder: str | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the bill, and tell the builder where it is."""
        self._folder = tempfile.mkdtemp(prefix="bgtools-bill-")
        path = Path(self._folder, "bgtools.cdx.json")
        path.write_text(json.dumps(self._bill(), indent=1) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what `initialize` has written."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _bill(self) -> dict[str, Any]:
        metadata = self.metadata
        name = metadata.core.raw_name
        itself = {
            "type": "library",
            "bom-ref": name,
            "name": name,
            "version": metadata.version,
            "purl": f"pkg:pypi/{name}@{metadata.version}",
            "licenses": [{"license": {"id": metadata.core.license_expression}}],
        }
        required = [_package(each, "") for each in metadata.core.dependencies]
        optional = [
            _package(each, extra)
            for extra, packages in sorted(metadata.core.optional_dependencies.items())
            for each in packages
            if Requirement(each).name != name
        ]
        packages = sorted(required, key=_name) + sorted(optional, key=_name)
        return {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {"component": itself},
            "components": packages + self._files(),
            "dependencies": [
                {"ref": name, "dependsOn": sorted({each["bom-ref"] for each in required})},
            ],
        }

    def _files(self) -> list[dict[str, Any]]:
        """What the wheel holds beside Python: grammars, tables, scripts and styles of pages."""
        builder = self.build_config.builder
        found = {each.distribution_path: each.path for each in builder.recurse_included_files()}
        return [
            {
                "type": "file",
                "bom-ref": f"file:{Path(inside).as_posix()}",
                "name": Path(inside).as_posix(),
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(Path(path).read_bytes()).hexdigest()}],
            }
            for inside, path in sorted(found.items())
            if not inside.endswith(".py")
        ]


def _name(component: dict[str, Any]) -> str:
    return str(component["bom-ref"])


def _package(requirement: str, extra: str) -> dict[str, Any]:
    """A package that is asked for, as a component; which version is installed is decided elsewhere."""
    asked = Requirement(requirement)
    named = asked.name.lower()
    properties = [{"name": "python:requirement", "value": requirement}]
    if extra:
        properties.append({"name": "python:extra", "value": extra})
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{named}" + (f"#{extra}" if extra else ""),
        "name": named,
        "purl": f"pkg:pypi/{named}",
        "scope": "optional" if extra or asked.marker is not None else "required",
        "properties": properties,
    }
