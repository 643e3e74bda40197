#!/usr/bin/env python3
"""Builds every crate of the workspace with none of its features, with each alone, and with those it has by default.

    testing/features.py [CRATE...]           checks them, or those of the crates that are named
    testing/features.py --test [CRATE...]    builds their tests as well, and runs them
    testing/features.py --list [CRATE...]    says which there are

The examples of the documentation are for the features that are there by default: `cargo test` runs them. A warning is a failure, and so
is a feature that needs what is not there (`libfuzzer` needs a C++ compiler). Exit: 0 all are well, 1 not, or there are none.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def combinations(crates):
    """Each crate with each list of features."""
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
    metadata = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    for package in json.loads(metadata)["packages"]:
        if package["name"] in crates or not crates:
            yield from ((package["name"], feature) for feature in ["", *sorted(package["features"])])


def well(command):
    """Whether a command ends well and has nothing to say. What it says is shown."""
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0 or "warning: " in run.stdout:
        print(" ".join(command), run.stdout, sep="\n")
        return False
    return True


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    if options not in ([], ["--test"], ["--list"]):
        sys.exit(__doc__)
    built = failed = 0
    for crate, feature in combinations([argument for argument in sys.argv[1:] if argument not in options]):
        shown = f"{crate} with {feature or 'no feature'}"
        if options == ["--list"]:
            print(shown)
            continue
        began = time.monotonic()
        arguments = ["--locked", "--quiet", "-p", crate, "--no-default-features", "--features", feature]
        # What is built for tests has features that they ask for, so the library is looked at alone first.
        commands = [["cargo", "check", *arguments]]
        if options:
            commands.append(["cargo", "test", "--tests", "--examples", *arguments])
        done = all(map(well, commands))
        print(f"{shown}: {'well' if done else 'FAILED'} ({time.monotonic() - began:.0f} s)", flush=True)
        built += 1
        failed += not done
    if options != ["--list"]:
        print(f"{built} combinations, {failed} of which failed")
        sys.exit(1 if failed or not built else 0)


if __name__ == "__main__":
    main()
