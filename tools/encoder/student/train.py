#!/usr/bin/env python3
"""Trains the multilingual student of the English encoder.

    train.py prepare DIR SIZE        vocabulary of SIZE pieces, token ids and teacher vectors (DIR has pairs.txt.xz,
                                     required.txt and teach)
    train.py fit DIR OUT NAME[,key=value...]

A text is the sum of the rows of its pieces and has length one: nothing else. The weight of a piece is the length of its
row. What it learns is the teacher's vector of the English text, less the mean of all, along the directions in which those
differ most.
"""
import collections, lzma, os, subprocess, sys, time, unicodedata
import numpy as np

MAXLEN, CHAINS = 64, 160_000
LANGS = 'en de es fr it pt nl pl ru tr zh ja ko ar sv cs uk da fi hu ro'.split()

def normal(s):
    return ' '.join(unicodedata.normalize('NFKC', s).lower().split())

def load(d):
    """English texts, and their translations as (index of the English text, language, class, text)."""
    english, pairs = [], []
    with lzma.open(d + '/pairs.txt.xz', 'rt') as f:
        for line in f:
            en, *others = line.rstrip('\n').split('\t')
            for o in others:
                pairs.append((len(english), LANGS.index(o[:2]), o[2], o[3:]))
            english.append(en)
    # Mails have several sentences, translated strings have one: chains of two to four strings that one language has.
    rng = np.random.default_rng(1)
    single = len(english)
    for l in range(1, len(LANGS)):
        mine = np.array([i for i, p in enumerate(pairs) if p[1] == l and p[0] < single and len(english[p[0]]) > 8])
        for _ in range(CHAINS // (len(LANGS) - 1)):
            some = [pairs[i] for i in rng.choice(mine, rng.integers(2, 5))]
            pairs.append((len(english), l, 'a', '. '.join(p[3] for p in some)))
            english.append('. '.join(english[p[0]] for p in some))
    return english, pairs

def ragged(lists):
    at = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([min(len(x), MAXLEN) for x in lists], out=at[1:])
    return np.concatenate([np.asarray(x[:MAXLEN], np.int32) for x in lists]), at

def prepare(d, size):
    import sentencepiece as spm
    t = time.time()
    english, pairs = load(d)
    print(len(english), 'English,', len(pairs), 'pairs', round(time.time() - t), 's', flush=True)
    with open(d + '/english.txt', 'w') as f:
        f.write('\n'.join(e.replace('\n', ' ') for e in english) + '\n')
    p = subprocess.Popen([d + '/teach', '-test.run=^TestTeach$'],
        env={**os.environ, 'TEACH_IN': d + '/english.txt', 'TEACH_OUT': d + '/teacher.i8'})
    en = [normal(x) for x in english]; other = [normal(x[3]) for x in pairs]
    rng = np.random.default_rng(2)
    sample = [en[i] for i in rng.choice(len(en), min(len(en), 150_000), replace=False)]
    byl = collections.defaultdict(list)
    for i, x in enumerate(pairs):
        byl[x[1]].append(i)
    for l, mine in byl.items():  # small languages count more than their share
        sample += [other[i] for i in rng.choice(mine, min(len(mine), 50_000), replace=False)]
    with open(d + '/sample.txt', 'w') as f:
        f.write('\n'.join(s[:600] for s in sample))
    spm.SentencePieceTrainer.train(input=d + '/sample.txt', model_prefix=d + '/spm', vocab_size=size, required_chars=open(d + '/required.txt').read(), model_type='unigram', character_coverage=0.9995,
        normalization_rule_name='identity', num_threads=16, input_sentence_size=0, max_sentence_length=4000, seed_sentencepiece_size=500000, num_sub_iterations=1,
        minloglevel=2)
    print('vocabulary', round(time.time() - t), 's', flush=True)
    sp = spm.SentencePieceProcessor(model_file=d + '/spm.model')
    counts = np.zeros((size, len(LANGS)), np.float32)  # how often each piece is in each language
    for name, texts, langs in (('en', en, np.zeros(len(en), int)), ('other', other, np.array([x[1] for x in pairs]))):
        ids, at = ragged(sp.encode(texts, num_threads=16))
        np.add.at(counts, (ids, np.repeat(langs, np.diff(at))), 1)
        np.savez(d + '/' + name + '.npz', ids=ids, at=at)
    np.save(d + '/counts.npy', counts)
    np.savez(d + '/pairs.npz', en=np.array([x[0] for x in pairs], np.int32), lang=np.array([x[1] for x in pairs], np.int8), cls=np.array([ord(x[2]) for x in pairs], np.uint8))
    print('tokens', round(time.time() - t), 's', flush=True)
    if p.wait():
        sys.exit('teach failed')
    print('teacher', round(time.time() - t), 's', os.path.getsize(d + '/teacher.i8') // 512, flush=True)

def fit(d, out, name, seconds=80, batch=8192, temp=0.05, lr=3e-3, dim=256, white=0.5, cos=4.0, nce=0.5, drop=0.1):
    import torch, torch.nn as nn, torch.nn.functional as F
    torch.manual_seed(0); dev = 'cuda'; torch.backends.cuda.matmul.allow_tf32 = True
    raw = torch.from_numpy(np.fromfile(d + '/teacher.i8', np.int8).reshape(-1, 512)).to(dev)
    T = F.normalize(raw.float(), dim=-1)
    mean = T.mean(0); T -= mean
    cov = T[torch.randperm(len(T), device=dev)[:200_000]]; cov = cov.T @ cov / len(cov)
    val, vec = torch.linalg.eigh(cov)
    val, vec = val.flip(0)[:dim], vec.flip(1)[:, :dim]
    T = F.normalize((T @ vec) * val.clamp(min=1e-8) ** (-white / 2), dim=-1).half()
    z = np.load(d + '/pairs.npz'); en_of, lang, cls = z['en'], z['lang'].astype(int), z['cls']
    def tokens(n):
        z = np.load(d + '/' + n + '.npz'); return torch.from_numpy(z['ids']).to(dev), torch.from_numpy(z['at']).to(dev)
    E, O = tokens('en'), tokens('other')
    held = np.zeros(len(T), bool); held[np.random.default_rng(3).choice(len(T), 4000, replace=False)] = True
    ok = ~held[en_of]
    n = np.bincount(lang[ok], minlength=len(LANGS)).astype(float)
    w = np.where(ok, (n[lang] + 1) ** -0.4 * np.where(cls == ord('w'), 0.6, 1.0), 0)  # small languages more, words less often than their number
    cum = torch.cumsum(torch.from_numpy(w).to(dev), 0)
    en_of = torch.from_numpy(en_of).long().to(dev); freeE = torch.from_numpy(np.flatnonzero(~held)).to(dev)
    emb = nn.Embedding(len(np.load(d + '/counts.npy')), dim).to(dev); nn.init.normal_(emb.weight, std=dim ** -0.5)
    def gather(t, i, drop=0.0):
        ids, at = t; a = at[i]; k = at[i + 1] - a
        pos = torch.arange(int(k.max()), device=dev)
        mask = pos < k[:, None]
        x = ids[torch.where(mask, a[:, None] + pos, 0)]
        if drop:
            mask &= (torch.rand(mask.shape, device=dev) > drop) | (k[:, None] < 3)
        return x.long(), mask | (pos == 0)
    def net(ids, mask):
        return F.normalize((emb(ids) * mask[..., None]).sum(1), dim=-1)
    opt = torch.optim.Adam(emb.parameters(), lr=lr); t0 = time.time(); step = 0
    at = torch.arange(batch, device=dev); eye = torch.eye(batch, dtype=torch.bool, device=dev)
    while (gone := time.time() - t0) < seconds:
        for g in opt.param_groups: g['lr'] = lr * min(1, step / 200) * max(0.02, 1 - gone / seconds)
        i = torch.searchsorted(cum, torch.rand(batch, device=dev, dtype=torch.double) * cum[-1]).clamp(max=len(cum) - 1)
        e = en_of[i]
        so = net(*gather(O, i, drop)); se = net(*gather(E, e, drop))
        m = freeE[torch.randint(len(freeE), (batch // 4,), device=dev)]
        sm = net(*gather(E, m))
        te = T[e].float()
        same = (e[:, None] == e[None]) & ~eye
        def contrast(a, b):
            s = (a @ b.T / temp).masked_fill(same, -1e4)
            return (F.cross_entropy(s, at) + F.cross_entropy(s.T, at)) / 2
        loss = cos * ((1 - (so * te).sum(1)).mean() + (1 - (se * te).sum(1)).mean() + 0.5 * (1 - (sm * T[m].float()).sum(1)).mean()) \
            + nce * contrast(so, te) + nce * contrast(so, se) + nce / 2 * contrast(se, te)
        opt.zero_grad(); loss.backward(); opt.step(); step += 1
        if step % 500 == 0: print(name, step, round(gone), 's loss %.3f cos %.3f %.3f' % (loss.item(), (so * te).sum(1).mean().item(), (se * te).sum(1).mean().item()), flush=True)
    with torch.no_grad():  # held out: from each language to the teacher's vector of the English text, among up to 1,000
        row = []
        for l in range(1, len(LANGS)):
            i = torch.from_numpy(np.flatnonzero(held[en_of.cpu().numpy()] & (lang == l) & (cls == ord('a')))[:1000]).to(dev)
            s = net(*gather(O, i)) @ T[en_of[i]].float().T
            rank = 1 + (s > s.diagonal()[:, None]).sum(1)
            row.append('%s %.2f' % (LANGS[l], (1 / rank).mean().item()))
        print(name, 'steps', step, 'held-out:', ' '.join(row), flush=True)
    e = emb.weight.detach().cpu().numpy(); s = np.abs(e).max(1, keepdims=True) / 127
    np.savez(f'{out}/{name}.npz', scale=s[:, 0].astype(np.float32), emb=np.round(e / s).astype(np.int8))

if __name__ == '__main__':
    if sys.argv[1] == 'prepare':
        prepare(sys.argv[2], int(sys.argv[3]))
    else:
        d, out = sys.argv[2:4]
        for spec in sys.argv[4:]:
            name, *opts = spec.split(',')
            fit(d, out, name, **{k: int(v) if k in ('batch', 'seconds', 'dim') else float(v) for k, v in (o.split('=') for o in opts)})
