#!/usr/bin/env python3
"""Collects pairs of English text and its translation from unpacked packages.

    collect.py FOLDER OUT      FOLDER/npm/NAME/package/... and FOLDER/deb/NAME/usr/...; writes OUT (xz)

A line of OUT is an English text and its translations, with tabs between: language, class (a for sentences of programs, w for
words), text. Only packages in packages.txt are read.
"""
import collections, glob, html, json, lzma, os, re, struct, subprocess, sys, zipfile, gzip

LANGS = os.environ.get('STUDENT_LANGS', 'de es fr it pt nl pl ru tr zh ja ko ar sv cs uk da fi hu ro').split()
CODES = {'zh': ['zh-CN', 'zh_CN', 'zh-Hans', 'zh-cn', 'zh', 'zh-hans', 'zhCn', 'zhCN'], 'pt': ['pt-PT', 'pt_PT', 'pt', 'pt-pt', 'pt-BR', 'pt_BR', 'pt-br'],
    'es': ['es-ES', 'es_ES', 'es', 'es-es'], 'sv': ['sv-SE', 'sv_SE', 'sv', 'sv-se'], 'ar': ['ar', 'ar-SA', 'ar_SA'],
    'en': ['en', 'en-US', 'en_US', 'en-GB', 'en-us', 'enUS', 'en-gb']}
for l, c in zip('de fr it nl pl ru tr ja ko cs uk da fi hu ro'.split(), 'DE FR IT NL PL RU TR JP KR CZ UA DK FI HU RO'.split()):
    CODES[l] = [l, l + '-' + c, l + '_' + c, l + '-' + c.lower()]

pairs = collections.defaultdict(dict)  # English -> {(lang, class, text)}
counts = collections.Counter()

def clean(s):
    s = html.unescape(re.sub(r'<[^>]{0,300}>', ' ', s))
    s = re.sub(r'\{\{.*?\}\}|\$\{.*?\}|\{[^{}]*\}|%\d*\$?[sdS@f]|%\([a-z_]+\)[sd]|\$[a-zA-Z]+\$?|&[a-zA-Z.]+;|%[A-Z_]+%|\$\d', ' ', s)
    s = re.sub(r'(?<!\w)[&_~](?=\w)|(?<=\w)[&_~](?=\w)', '', s)  # access keys
    s = re.sub(r'\\[nrt]|[\t\r\n]+', ' ', s)
    return ' '.join(s.split()).strip(' :.…')

def add(src, lang, cls, en, other):
    if not isinstance(en, str) or not isinstance(other, str):
        return
    en, other = clean(en), clean(other)
    if not 2 <= len(en) <= 600 or not 1 <= len(other) <= 600 or en == other or not re.search(r'[A-Za-z]{2}', en):
        return
    if lang in ('zh', 'ja', 'ko', 'ru', 'uk', 'ar') and not re.search(r'[^\x00-\u024f]', other):
        return
    ratio = len(other) / len(en)
    lo, hi = (0.1, 1.6) if lang in ('zh', 'ja', 'ko') else (0.4, 2.8)
    if len(en) > 12 and not lo < ratio < hi:
        return
    pairs[en].setdefault((lang, other), cls)
    counts[src, lang] += 1

def join(src, cls, en, other, lang):
    for k, v in en.items():
        if k in other:
            add(src, lang, cls, v, other[k])

def flatten(v, at='', out=None):
    out = {} if out is None else out
    if isinstance(v, str):
        out[at] = v
    elif isinstance(v, dict):
        for k, x in v.items():
            flatten(x, at + '/' + str(k), out)
    elif isinstance(v, list):
        for i, x in enumerate(v):
            flatten(x, at + '/' + str(i), out)
    return out

def ftl(text):
    out, key = {}, None
    for line in text.split('\n'):
        m = re.match(r'^(-?[a-zA-Z][\w-]*)\s*=\s*(.*)$', line)
        a = re.match(r'^\s+\.([\w-]+)\s*=\s*(.*)$', line)
        if m:
            key = m[1]; out[key] = m[2]
        elif a and key:
            key = key.split('.')[0] + '.' + a[1]; out[key] = a[2]
        elif line.startswith(' ') and key and not re.match(r'^\s*[\[\*\}]', line):
            out[key] += ' ' + line.strip()
        elif not line.strip():
            continue
    return {k: v for k, v in out.items() if v.strip() and '->' not in v and not k.endswith('key')}

def properties(text):
    return dict((m[1].strip(), m[2]) for m in re.finditer(r'^([^#=\n]+?)\s*=\s*(.*)$', text, re.M))

def xpi(path):
    out = {}
    z = zipfile.ZipFile(path)
    for n in z.namelist():
        name = re.sub(r'(?<![a-z])[a-z]{2,3}(-[A-Z]{2})?(?=/)', 'L', n)
        if n.endswith(('.ftl', '.properties')):
            t = z.read(n).decode('utf-8', 'replace')
            for k, v in (ftl(t) if n.endswith('.ftl') else properties(t)).items():
                out[name + ' ' + k] = v
    return out

def pak(path):
    d = open(path, 'rb').read()
    version, enc = struct.unpack('<IB', d[:5])
    n, aliases = struct.unpack('<HH', d[8:12])
    ids = [struct.unpack('<HI', d[12 + 6 * i:18 + 6 * i]) for i in range(n + 1)]
    return {ids[i][0]: d[ids[i][1]:ids[i + 1][1]].decode('utf-8', 'replace') for i in range(n)}

def debian(root):
    def one(*p):
        g = glob.glob(os.path.join(root, 'deb', *p), recursive=True)
        return g[0] if g else None
    for prog in 'firefox-esr', 'thunderbird':
        en = xpi(one(prog + '-l10n-en-gb', '**', '*.xpi'))
        for l in LANGS:
            c = {'es': 'es-es', 'pt': 'pt-pt', 'sv': 'sv-se', 'zh': 'zh-cn'}.get(l, l)
            if p := one(f'{prog}-l10n-{c}', '**', '*.xpi'):
                join(prog, 'a', en, xpi(p), l)
    loc = os.path.join(root, 'deb/chromium-l10n/usr/lib/chromium/locales/')
    en = pak(loc + 'en-GB.pak')
    for l in LANGS:
        c = {'zh': 'zh-CN', 'pt': 'pt-PT'}.get(l, l)
        join('chromium', 'a', en, pak(loc + c + '.pak'), l)

def annotations(root):
    for pkg, sub in ('cldr-annotations-full', 'annotations'), ('cldr-annotations-derived-full', 'annotationsDerived'):
        for base in glob.glob(f'{root}/npm/{pkg}-*/package/{sub}'):
            def read(c):
                j = json.load(open(f'{base}/{c}/annotations.json'))[sub]['annotations']
                return {k: (' '.join(v.get('tts', [])), ', '.join(v.get('default', []))) for k, v in j.items()}
            en = read('en')
            for l in LANGS:
                for k, v in read(l).items():
                    if k in en:
                        add(pkg, l, 'w', en[k][0], v[0]); add(pkg, l, 'w', en[k][1], v[1])

def osm(root):
    for base in glob.glob(f'{root}/npm/openstreetmap-id-tagging-schema-*/package/dist/translations'):
        def read(c):
            return flatten(list(json.load(open(f'{base}/{c}.json')).values())[0])
        en = read('en')
        for l in LANGS:
            join('osm', 'w', en, read({'zh': 'zh-CN'}.get(l, l)), l)

def strings(path):
    """The strings of a file of translations, each under its key."""
    try:
        if path.endswith('.json'):
            return flatten(json.load(open(path, encoding='utf-8-sig')))
        if path.endswith(('.js', '.mjs')):
            r = subprocess.run(['node', os.path.join(os.path.dirname(os.path.abspath(__file__)), 'dump.mjs'), path], capture_output=True, timeout=20)
            return flatten(json.loads(r.stdout)) if r.returncode == 0 else {}
    except (ValueError, OSError, subprocess.TimeoutExpired):
        pass
    return {}

def generic(root, allowed):
    """Files of the other npm packages whose path has a language in it, beside the same path with English."""
    every = {c: l for l, cs in CODES.items() for c in cs}
    code = re.compile(r'(?<![A-Za-z])(' + '|'.join(sorted(map(re.escape, every), key=len, reverse=True)) + r')(?![A-Za-z])')
    for pkg in sorted(os.listdir(root + '/npm')):
        if not any(re.fullmatch(re.escape(a) + r'-\d.*', pkg) for a in allowed) or pkg.startswith(('cldr-annotations', 'openstreetmap')):
            continue
        groups = collections.defaultdict(dict)
        for p in glob.glob(f'{root}/npm/{pkg}/**/*', recursive=True):
            rel = p[len(root) + 5 + len(pkg):]
            if not p.endswith(('.json', '.js', '.mjs')) or not os.path.isfile(p) or os.path.getsize(p) > 3_000_000 or '/node_modules/' in rel:
                continue
            name = rel.split('/')
            for i in range(len(name) - 1, max(len(name) - 3, 0), -1):  # the file, or the folder it is in
                if m := code.match(name[i]):
                    rest = re.sub(r'^[-.][A-Za-z0-9_-]{6,10}(?=\.)', '', name[i][m.end():])
                    key = '/'.join(name[:i] + ['L' + rest] + name[i + 1:])
                    l = every[m[1]]
                    old = groups[key].get(l)
                    if not old or CODES[l].index(m[1]) < old[0]:
                        groups[key][l] = (CODES[l].index(m[1]), p)
                    break
        for key, files in groups.items():
            if 'en' not in files or len(files) < 3:
                continue
            en = strings(files['en'][1])
            if len(en) < 5:
                continue
            for l, (_, p) in files.items():
                if l != 'en':
                    join(pkg, 'w' if pkg.startswith('cldr') else 'a', en, strings(p), l)

def inline(root, allowed):
    """Objects of JSON files that have a text for each language, such as the news of an ioBroker adapter."""
    def walk(pkg, v):
        if isinstance(v, dict):
            if isinstance(v.get('en'), str) and isinstance(v.get('de'), str):
                for l in LANGS:
                    t = v.get(l) or v.get({'zh': 'zh-cn'}.get(l, l))
                    if t:
                        add(pkg, l, 'a', v['en'], t)
            for x in v.values():
                walk(pkg, x)
        elif isinstance(v, list):
            for x in v:
                walk(pkg, x)
    for p in glob.glob(f'{root}/npm/iobroker.*/package/*.json'):
        if any(re.fullmatch(re.escape(a) + r'-\d.*', p.split('/npm/')[1].split('/')[0]) for a in allowed):
            try:
                walk(p.split('/npm/')[1].split('/')[0], json.load(open(p)))
            except ValueError:
                pass

def main():
    root, out = sys.argv[1:3]
    here = os.path.dirname(os.path.abspath(__file__))
    allowed = [l.split()[0].lstrip('@').replace('/', '-') for l in open(here + '/packages.txt') if l.startswith('npm ') is False and l.strip() and not l.startswith('#')]
    debian(root); print('debian', sum(counts.values()), flush=True)
    annotations(root); osm(root); print('words', sum(counts.values()), flush=True)
    generic(root, allowed); inline(root, allowed)
    by = collections.Counter(); bl = collections.Counter()
    for (s, l), n in counts.items():
        by[s] += n; bl[l] += n
    for s, n in by.most_common():
        print(f'{n:8} {s}')
    print(dict(bl))
    with lzma.open(out, 'wt', preset=6) as f:
        for en in sorted(pairs):
            f.write('\t'.join([en] + [l + c + t for (l, t), c in pairs[en].items()]) + '\n')
    print(len(pairs), 'English texts', sum(map(len, pairs.values())), 'pairs', os.path.getsize(out), 'bytes')

main()
