#!/usr/bin/env python3
"""Compares `mlirbc verify --target-env` with spirv-val over binaries.

    target_env.py MLIRBC DIR [--count N] [--seed N] [--limit N] [--list]

  DIR       a folder of .spv files; each is asked for every environment, with its header set to the version of that
  --count   as many more are made of them, 2000 by default: each without one OpCapability or OpExtension, or with one that another has
  --limit   only so many files
  --list    names every difference

Where spirv-val's first error names no capability, extension or version, nothing is compared. Prints how many verdicts are the same, and
of refusals how many name the same capability, extension or version first. Exits with 1 where less than 99 % are, or one differs that
KNOWN does not explain, or where all are compared and what KNOWN explains does not occur.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

ENVIRONMENTS = {"spv1.0": 0, "spv1.1": 1, "spv1.2": 2, "spv1.3": 3, "spv1.4": 4, "spv1.5": 5, "spv1.6": 6, "vulkan1.0": 0,
                "vulkan1.1": 3, "vulkan1.1spv1.4": 4, "vulkan1.2": 5, "vulkan1.3": 6, "opencl1.2": 0, "opencl2.0": 0,
                "opencl2.2": 2, "opengl4.5": 0}
EXTENSION, CAPABILITY = 10, 17
# Of these no release of spirv-val before 2023.2 asked which capabilities they have.
UNASKED = {"vulkan1.1spv1.4", "vulkan1.3"}
# Verdicts that differ: a part of what spirv-val says, a part of what is said here (None: nothing is wrong), and who is right.
KNOWN = [
    ("ShaderViewportIndexLayerEXT", None,
     "version 1.5 took SPV_EXT_shader_viewport_index_layer in, and MLIR has it implied from then on; in the grammar the enumerant is still one of the extension"),
]
NAMES = re.compile(r"capabilit|extension|version", re.I)


def instructions(words):
    at = 5
    while at < len(words):
        length = words[at] >> 16 or 1
        yield words[at] & 0xFFFF, words[at:at + length]
        at += length


def read(path):
    data = open(path, "rb").read()
    words = struct.unpack("<%dI" % (len(data) // 4), data)
    return words if words[0] == 0x07230203 else None


def with_version(words, minor):
    return (words[0], 0x10000 | minor << 8) + tuple(words[2:])


def changed(words, others, random):
    """The module without one declaration, or with one that another module has, and what was done."""
    head, body = words[:5], list(instructions(words))
    own = [at for at, (op, _) in enumerate(body) if op in (CAPABILITY, EXTENSION)]
    if own and random.random() < 0.6:
        at = random.choice(own)
        del body[at]
    else:
        new = random.choice(others)
        same = [at for at, (op, _) in enumerate(body) if op == CAPABILITY or op == new[0]]
        body.insert(same[-1] + 1 if same else 0, new)
    return tuple(head) + tuple(word for _, one in body for word in one)


def first_error(text):
    for line in text.split("\n"):
        if "error: " in line:
            return re.sub(r"^line \d+: ", "", line.split("error: ", 1)[1])
    return text.strip().split("\n")[0]


def theirs(job):
    path, environment = job
    done = subprocess.run(["spirv-val", "--target-env", environment, path], capture_output=True)
    return None if done.returncode == 0 else first_error((done.stdout + done.stderr).decode(errors="replace"))


def named(message):
    """What an error of spirv-val names: capabilities, extensions, versions."""
    refused = re.match(r"Capability (\w+) is not allowed", message)
    if refused:
        return {refused.group(1)}
    if "a variable pointers capability" in message:
        return {"VariablePointersStorageBuffer", "VariablePointers"}
    found = set(re.findall(r"SPV_\w+|[A-Z]\w+|1\.\d|version", message.split("requires", 1)[-1])) - {"SPIR", "V"}
    return found | set(re.findall(r"operand (\w+)\(\d+\) requires", message))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mlirbc")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(options.folder, "*.spv")))[:options.limit]
    modules = [words for words in map(read, paths) if words]
    others = sorted({one for words in modules for one in instructions(words) if one[0] in (CAPABILITY, EXTENSION)})
    dice = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        jobs = {environment: [] for environment in ENVIRONMENTS}

        def add(words, environment):
            path = os.path.join(folder, "%s-%d.spv" % (environment, len(jobs[environment])))
            with open(path, "wb") as file:
                file.write(struct.pack("<%dI" % len(words), *with_version(words, ENVIRONMENTS[environment])))
            jobs[environment].append(path)

        for words in modules:
            for environment in ENVIRONMENTS:
                add(words, environment)
        for _ in range(options.count):
            add(changed(dice.choice(modules), others, dice), dice.choice(list(ENVIRONMENTS)))
        asked = same = alike = refused = unasked = 0
        explained = collections.Counter()
        for environment, files in jobs.items():
            done = subprocess.run([options.mlirbc, "verify", "--target-env", environment, *files], capture_output=True)
            ours = collections.defaultdict(list)
            for line in done.stderr.decode(errors="replace").split("\n"):
                path, _, message = line.partition(": error: ")
                if " rules are broken" not in line and "rule is broken" not in line:
                    ours[path].append(message)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                found = list(pool.map(theirs, [(path, environment) for path in files]))
            for path, message in zip(files, found):
                if message and (not NAMES.search(message) or message.startswith("Invalid opcode")):
                    continue
                all_mine = ours.get(path, [])
                mine = next((one for one in all_mine if environment not in UNASKED or " has no capability " not in one), None)
                if not message and all_mine and not mine:
                    unasked += 1
                    continue
                asked += 1
                same += bool(mine) == bool(message)
                agree = bool(mine) == bool(message)
                # Of a number alone the name is not known.
                if message and mine and not message.startswith("Invalid capability operand"):
                    refused += 1
                    wanted = re.split(r"needs |has no |version ", mine, maxsplit=1)[-1]
                    agree = bool(named(message) & set(re.findall(r"[\w.]+", wanted)))
                    alike += agree
                if agree:
                    continue
                why = next((why for val, own, why in KNOWN if val in (message or "") and (own in (mine or "") if own else not mine)), None)
                explained[why] += 1
                if options.list or not why:
                    print(environment, os.path.basename(path), "\n  spirv-val:", message, "\n  mlirbc:   ", mine)
                    if os.environ.get("KEEP"):
                        subprocess.run(["cp", path, os.environ["KEEP"]])
    print("%d modules declare what the environment lacks and spirv-val does not know of" % unasked)
    print("%d of %d verdicts are the same, %d of %d refusals name the same" % (same, asked, alike, refused))
    for _, _, why in KNOWN:
        print("%d differ: %s" % (explained[why], why))
    is_whole = options.limit is None and options.count >= 2000 and options.seed == 1
    unmet = [why for *_, why in KNOWN if is_whole and not explained[why]]
    return 0 if same >= 0.99 * asked and alike >= 0.99 * refused and not explained[None] and not unmet else 1


sys.exit(main())
