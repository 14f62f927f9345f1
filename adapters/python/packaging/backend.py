"""The build backend of pyproject.toml (PEP 517): a wheel from a build by CMake, with Python's standard library alone.

The wheel holds the package and Debian's libraries that its module needs (libonnx_proto, libprotobuf, libsvm,
libutf8proc and what these need), so that it can be moved to another machine with the same glibc or a newer one.
CMake and the packages of README.md must be installed. RNNALF_CMAKE_ARGS is given to CMake as well;
RNNALF_PYTHON_BUILT names a build folder in which the module is built already.
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TAG = (f"cp{sys.version_info[0]}{sys.version_info[1]}-cp{sys.version_info[0]}{sys.version_info[1]}-"
       + sysconfig.get_platform().replace("-", "_").replace(".", "_"))


def version():
    return re.search(r"project\(rnnalf VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def metadata():
    project = (ROOT / "pyproject.toml").read_text()

    def field(name):
        return re.search(rf'^{name} = "(.*)"$', project, re.MULTILINE)[1]

    requirements = re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.*)\]$", project, re.MULTILINE)[1])
    lines = ["Metadata-Version: 2.1", "Name: rnnalf", f"Version: {version()}", f"Summary: {field('description')}",
             "License: MIT", f"Requires-Python: {field('requires-python')}",
             *[f"Requires-Dist: {name}" for name in requirements],
             "Description-Content-Type: text/markdown", "", (ROOT / field("readme")).read_text()]
    return "\n".join(lines)


def run(*command):
    print("+", shlex.join(map(str, command)), flush=True)
    subprocess.run(command, check=True)


def build(staging):
    """Builds the module and installs the package into the folder."""
    built = os.environ.get("RNNALF_PYTHON_BUILT")
    folder = pathlib.Path(built) if built else compiled()
    run("cmake", "--install", folder, "--component", "python", "--strip", "--prefix", staging)


def compiled():
    """The folder in which the module was built."""
    folder = pathlib.Path(os.environ.get("RNNALF_PYTHON_BUILD_DIR", ROOT / "build" / "wheel"))
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run("cmake", "-S", ROOT, "-B", folder, *generator, *launcher, "-DCMAKE_BUILD_TYPE=Release",
        "-DRNNALF_BUILD_PYTHON=ON", "-DRNNALF_BUILD_TESTS=OFF", "-DRNNALF_BUILD_EXAMPLES=OFF",
        f"-DPython_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("RNNALF_CMAKE_ARGS", "")))
    run("cmake", "--build", folder, "--target", "rnnalf_python", "-j", str(os.cpu_count() or 1))
    return folder


def staged(folder):
    """Wheels have no symbolic links: of a library, the name that others ask for stays."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    linked = {path.resolve() for path in paths if path.is_symlink()}
    return [path for path in paths if path.is_symlink() or path.resolve() not in linked]


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"rnnalf-{version()}-{TAG}.whl"
    info = f"rnnalf-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as staging:
        build(staging)
        files = {path.relative_to(staging).as_posix(): path.read_bytes() for path in staged(pathlib.Path(staging))}
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: rnnalf\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = [record_line(path, content) for path, content in files.items()] + [f"{info}/RECORD,,"]
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows, or all but build folders where there is no git."""
    name = f"rnnalf-{version()}"
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True)
    paths = listed.stdout.splitlines() if listed.returncode == 0 else [
        path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")
        if path.is_file() and not path.relative_to(ROOT).parts[0].startswith((".", "build"))]
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in sorted(paths):
            archive.add(ROOT / path, f"{name}/{path}")
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(metadata())
            file.flush()
            archive.add(file.name, f"{name}/PKG-INFO")
    return f"{name}.tar.gz"


if __name__ == "__main__":  # backend.py FOLDER: the wheel, written there
    print(pathlib.Path(sys.argv[1]) / build_wheel(sys.argv[1]))
