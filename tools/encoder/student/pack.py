#!/usr/bin/env python3
"""Packs a trained student into one table: pack.py DIR NAME TEACHER OUT.

DIR has spm.model, counts.npy and NAME.npz (train.py); TEACHER.txt are English lines and TEACHER.i8 what teach makes of them,
with which it is learned what of the English encoder's vectors the student's are. The pieces are in the order of their bytes.
"""
import struct, sys, unicodedata
import numpy as np, sentencepiece as spm

LANGS = 'en de es fr it pt nl pl ru tr zh ja ko ar sv cs uk da fi hu ro'.split()

def main():
    d, name, teacher, out = sys.argv[1:5]
    sp = spm.SentencePieceProcessor()
    sp.load(d + '/spm.model')
    z = np.load(f'{d}/{name}.npz')
    rows, scale = z['emb'], z['scale']
    f = np.load(d + '/counts.npy') + 0.5
    speech = np.log(f / f.sum(0))
    speech -= speech.mean(1, keepdims=True)
    speech = np.clip(np.round(speech / 0.6) + 5, 0, 15).astype(np.uint8)
    speech = np.pad(speech, ((0, 0), (0, len(LANGS) % 2)))
    speech = speech[:, ::2] | speech[:, 1::2] << 4
    ids = [i for i in range(len(rows)) if not sp.is_control(i) and not sp.is_unknown(i)]
    ids.sort(key=lambda i: sp.id_to_piece(i).encode())
    texts = [sp.id_to_piece(i).encode() for i in ids]
    score = np.array([min(max(-sp.get_score(i), 0), 15.99) * 4096 for i in ids])
    with open(out, 'wb') as o:
        o.write(b'MKSTUD\x002' + struct.pack('<3I', len(ids), len(LANGS), rows.shape[1]) + ''.join(LANGS).encode())
        o.write(np.cumsum([0] + [len(t) for t in texts]).astype('<u4').tobytes() + b''.join(texts))
        o.write(score.round().astype('<u2').tobytes() + scale[ids].astype('<f4').tobytes())
        o.write(rows[ids].tobytes() + speech[ids].tobytes())
        b = bridge(sp, rows * scale[:, None], teacher)
        w, bias = b[:, :512], b[:, 512]
        s = np.abs(w).max(1) / 127
        o.write(struct.pack('<3I', 512, len(w), 0) + s.astype('<f4').tobytes())
        o.write(np.round(w / s[:, None]).astype(np.int8).tobytes() + struct.pack('<I', len(w)) + bias.astype('<f4').tobytes())

def bridge(sp, rows, teacher):
    """For each dimension of the student 512 weights and a constant: of the teacher's vector of a text, the student's."""
    normal = lambda s: ' '.join(unicodedata.normalize('NFKC', s).lower().split())
    lines = open(teacher + '.txt').read().rstrip('\n').split('\n')
    x = np.fromfile(teacher + '.i8', np.int8).reshape(-1, 512).astype(np.float64)
    x = np.hstack([x / np.linalg.norm(x, axis=1, keepdims=True), np.ones((len(x), 1))])
    y = np.stack([rows[sp.encode_as_ids(normal(t))].sum(0) for t in lines])
    y /= np.linalg.norm(y, axis=1, keepdims=True) + 1e-9
    return np.linalg.solve(x.T @ x + np.eye(513), x.T @ y).T

main()
