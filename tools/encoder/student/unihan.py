#!/usr/bin/env python3
"""Adds the English definitions of Chinese characters to pairs of texts: unihan.py IN OUT READINGS

IN and OUT are pairs.txt.xz; READINGS is Unihan_Readings.txt.bz2 of Debian's unicode-data. Characters are those that common
encodings of Chinese or Japanese have. required.txt beside OUT has the most frequent of them, which the vocabulary must have.
"""
import bz2, lzma, os, re, sys

def has(c, encoding, last):
    try:
        b = c.encode(encoding)
    except UnicodeEncodeError:
        return False
    return len(b) == 2 and b[0] <= last

def main():
    src, dst, readings = sys.argv[1:4]
    extra, required = {}, set()
    for line in bz2.open(readings, 'rt'):
        m = re.match(r'U\+([0-9A-F]+)\tkDefinition\t(.*)', line)
        if not m:
            continue
        c, says = chr(int(m[1], 16)), re.sub(r'\([^)]*\)|U\+[0-9A-F]+ \S+', ' ', m[2])
        langs = [l for l, ok in (('zh', has(c, 'gb2312', 0xf7)), ('ja', has(c, 'shift_jis', 0xea))) if ok]
        if has(c, 'gb2312', 0xd7) or has(c, 'shift_jis', 0x98):
            required.add(c)
        for part in sorted({says} | set(says.split(';'))):
            part = ' '.join(part.replace(';', ',').split()).strip(' ,.')
            if re.search('[A-Za-z]{2}', part) and len(part) < 200:
                for l in langs:
                    extra.setdefault(part, []).append(l + 'w' + c)
    with lzma.open(src, 'rt') as f, lzma.open(dst, 'wt', preset=6) as out:
        for line in f:
            en = line.rstrip('\n').split('\t', 1)[0]
            out.write('\t'.join([line.rstrip('\n')] + extra.pop(en, [])) + '\n')
        for en, texts in extra.items():
            out.write('\t'.join([en] + texts) + '\n')
    with open(os.path.dirname(os.path.abspath(dst)) + '/required.txt', 'w') as f:
        f.write(''.join(sorted(required)))

main()
