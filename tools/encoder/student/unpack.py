#!/usr/bin/env python3
"""Unpacks packages of Debian and npm: unpack.py OUT FILE... makes OUT/deb/NAME and OUT/npm/NAME-VERSION."""
import io, os, sys, tarfile

def deb(path):
    d = open(path, 'rb').read(); at = 8
    while at < len(d):
        name, size = d[at:at + 16].decode().strip(), int(d[at + 48:at + 58])
        if name.startswith('data.tar'):
            return io.BytesIO(d[at + 60:at + 60 + size])
        at += 60 + size + size % 2

for path in sys.argv[2:]:
    name = os.path.basename(path)
    if name.endswith('.deb'):
        data, into = deb(path), sys.argv[1] + '/deb/' + name.split('_')[0]
    elif name.endswith('.tgz'):
        data, into = open(path, 'rb'), sys.argv[1] + '/npm/' + name[:-4]
    else:
        continue
    os.makedirs(into, exist_ok=True)
    with tarfile.open(fileobj=data) as t:
        t.extractall(into, filter=lambda m, p: m if m.isfile() or m.isdir() else None)
