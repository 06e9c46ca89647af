# Takes the figures of the embedded store in one run, each beside its reference: SERVER TOOLS [ROUNDS [MESSAGES]].
#
#   python3 tools/speed.py bin/mailkin ../shared/perf/bin
#   POSTFIX=127.0.0.1:2526 MAILPIT=./mailpit python3 tools/speed.py bin/mailkin ../shared/perf/bin 5 100000
#
# TOOLS is a folder with smtpload, rawsink, apiload, e2elat and coldstart. The limit is `rawsink -mode log`, which does
# nothing with a message but write it durably. A ratio is taken inside each round, and the median of the rounds is
# printed. MESSAGES is how many the store has that is searched. POSTFIX is a Postfix that takes mail for
# user{0..99}@example.test, MAILPIT the program. tools/capture-compare.py has the rest of the comparison with it.
#
#   STEADY=3600 RATE=300 python3 tools/speed.py bin/mailkin soak
#
# is the last part alone, mail that comes and goes beside readers, without TOOLS. It fails where memory, descriptors or
# the index grow, or reads get slower, which a run of less than two minutes cannot tell.
import http.client, json, os, random, re, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time

server, tools = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
many = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000
limit, steady = os.environ.get('LIMIT', '4s'), int(os.environ.get('STEADY', 120))
soak = sys.argv[2] == 'soak'
folder = tempfile.mkdtemp(prefix='speed.')


def free():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def tool(name, *args):
    """Runs a load and returns what it prints."""
    return subprocess.run([os.path.join(tools, name), *map(str, args)], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def load(address, sessions, size):
    kind = 'attach' if size > 20_000 else 'text'
    out = json.loads(tool('smtpload', '-addr', address, '-n', 10_000_000, '-limit', limit, '-c', sessions,
                          '-size', size, '-kind', kind, '-rcpts', 100, '-json'))
    return out['MsgsPerSec'], out['Sent']


class Started:
    """A program that runs, with its folder."""

    def __init__(self, *command, port, folder=None):
        self.folder = folder or tempfile.mkdtemp(dir=globals()['folder'])
        self.port = port
        with open(self.folder + '.log', 'a') as log:
            self.process = subprocess.Popen([c.replace('{dir}', self.folder) for c in command], stdout=log, stderr=log)
        while True:
            try:
                socket.create_connection(('127.0.0.1', port)).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    sys.exit(f'{command[0]} ended; its log is {self.folder}.log')
                time.sleep(0.002)

    def cpu(self):
        task, total = f'/proc/{self.process.pid}/task', 0
        for t in os.listdir(task):
            try:
                total += int(open(f'{task}/{t}/schedstat').read().split()[0])
            except OSError:  # it has just ended
                pass
        return total / 1e9

    def io(self, what):
        return int(re.search(what + r': (\d+)', open(f'/proc/{self.process.pid}/io').read())[1])

    def memory(self):
        return int(re.search(r'VmRSS:\s+(\d+)', open(f'/proc/{self.process.pid}/status').read())[1]) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Mailkin(Started):
    def __init__(self, boxes=100, folder=None, *more):
        self.smtp, self.metrics = free(), free()
        super().__init__(server, 'serve', '--data-dir', '{dir}', '--domain', 'example.test', '--smtp-addr',
                         f'127.0.0.1:{self.smtp}', '--metrics-addr', f'127.0.0.1:{self.metrics}', '--http-addr',
                         f'127.0.0.1:{(port := free())}', *more, port=port, folder=folder)
        self.token, self.keys = open(self.folder + '/token').read().strip(), []
        ask = self.asker()
        for i in range(boxes if folder is None else 0):
            self.keys.append(json.loads(ask('POST', '/v1/mailboxes', json.dumps({'name': f'user{i}'})))['api_key'])

    def asker(self):
        """Returns a function that asks over a connection of its own."""
        c = http.client.HTTPConnection('127.0.0.1', self.port)

        def ask(method, path, body=None, kind='application/json', key=None):
            c.request(method, path, body, {'Authorization': f'Bearer {key or self.token}', 'Content-Type': kind})
            answer = c.getresponse()
            text = answer.read()
            assert answer.status < 300, (method, path, answer.status, text[:200])
            return text
        return ask

    def indexed(self):
        c = http.client.HTTPConnection('127.0.0.1', self.metrics)
        while True:
            c.request('GET', '/metrics')
            if b'\nmailkin_index_lag_seconds 0\n' in c.getresponse().read():
                return
            time.sleep(0.1)

    def p50(self, path):
        out = tool('apiload', '-c', 1, '-dur', '3s', '-H', 'Authorization: Bearer ' + self.token, '-url',
                   f'http://127.0.0.1:{self.port}{path}&mailbox=user0@example.test')
        return float(re.search(r'p50=([\d.]+)ms', out)[1])


def tell(what, *values):
    print(f'{what:52}', *(f'{v:>14}' for v in values), flush=True)


def middle(list):
    return f'{statistics.median(list):.2f}'


def receiving():
    tell('', 'of the limit', 'x Postfix', 'messages/s', 'CPU us', 'KB written')
    for sessions, size in ((1, 4096), (10, 4096), (50, 4096), (10, 102400)):
        of, times, rates, cpus, wrote = [], [], [], [], []
        for _ in range(rounds):
            sink = Started(tools + '/rawsink', '-mode', 'log', '-dir', '{dir}', '-addr', f'127.0.0.1:{(p := free())}',
                           port=p)
            best = load(f'127.0.0.1:{p}', sessions, size)[0]
            sink.stop()
            if 'POSTFIX' in os.environ:
                other = load(os.environ['POSTFIX'], sessions, size)[0]
            s = Mailkin()
            time.sleep(1)
            before = s.cpu(), s.io('write_bytes')
            rate, n = load(f'127.0.0.1:{s.smtp}', sessions, size)
            s.indexed()
            cpus.append((s.cpu() - before[0]) / n * 1e6)
            wrote.append((s.io('write_bytes') - before[1]) / n / 1000)
            s.stop()
            of.append(rate / best)
            rates.append(rate)
            if 'POSTFIX' in os.environ:
                times.append(rate / other)
            for d in (s.folder, sink.folder):
                shutil.rmtree(d)
        tell(f'{sessions} sessions, {size // 1024} KB, CPU with the index', middle(of),
             middle(times) if times else '-', middle(rates), middle(cpus), middle(wrote))


def sealing():
    """What encryption costs: a server with it and one without take the same mail in turns."""
    servers, times = [Mailkin(), Mailkin(100, None, '--encryption', 'on')], []
    for n in range(1 + 8 * rounds):
        cost = {}
        for s in servers[::1 - n % 2 * 2]:
            before = s.cpu()
            tool('smtpload', '-addr', f'127.0.0.1:{s.smtp}', '-n', 4000, '-c', 10, '-size', 4096, '-rcpts', 100)
            s.indexed()
            cost[s] = s.cpu() - before
        if n > 0:
            times.append(cost[servers[1]] / cost[servers[0]])
    for s in servers:
        s.stop()
    low, _, high = statistics.quantiles(times)
    tell('encryption, 10 sessions, 4 KB, CPU with the index', f'x {middle(times)}', f'{low:.2f} to {high:.2f}')


def waiting():
    for what, mode, token, path in (('an event', 'sse', 'subject', '/v1/events?'),
                                    ('a code', 'longpoll', 'code', '/v1/code?timeout=30&since={since}&')):
        s = Mailkin()
        found = [re.findall(r'p50=([\d.]+)ms.*?p99=([\d.]+)ms', tool(
            'e2elat', '-smtp', f'127.0.0.1:{s.smtp}', '-mode', mode, '-token', token, '-n', 300, '-to',
            'user0@example.test', '-H', 'Authorization: Bearer ' + s.keys[0], '-url',
            f'http://127.0.0.1:{s.port}{path}'.rstrip('?&')))[0] for _ in range(rounds)]
        s.stop()
        tell(f'end of DATA to {what}, p50 and p99, ms', *(middle([float(f[i]) for f in found]) for i in (0, 1)))


def searching():
    s = Mailkin(1)
    tool('smtpload', '-addr', f'127.0.0.1:{s.smtp}', '-n', many, '-limit', '20m', '-c', 8, '-pool', 0, '-rcpts', 1)
    s.indexed()
    for what, path in (('newest 50', '/v1/inbox?limit=50'), ('a word', '/v1/inbox?limit=50&query=account'),
                       ('by relevance', '/v1/search?mode=keyword&limit=50&q=account'),
                       ('words and meaning', '/v1/search?limit=50&q=account')):
        tell(f'{what}, {many} messages, p50 in ms', middle([s.p50(path) for _ in range(rounds)]))
    time.sleep(6)  # the log is emptied
    s.stop()
    size = sum(os.path.getsize(os.path.join(at, f)) for at, _, files in os.walk(s.folder) for f in files)
    tell('disk for a message of 4 KB, in KB', f'{size / many / 1000:.2f}')
    starts = []
    for _ in range(rounds):
        began = time.perf_counter()
        again = Mailkin(0, s.folder)
        starts.append((time.perf_counter() - began) * 1000)
        again.stop()
    tell(f'start with {many} messages, ms', middle(starts))


def letter():
    """A mail of 4 KB: words of which few are frequent, as in a language."""
    words = [''.join(random.choices('aeioustrnldmkp', k=2 + n % 9)) for n in range(5000)]
    text = random.choices(words + ['account'], [1 / (n + 1) for n in range(5001)], k=600)
    lines = [' '.join(text[i:i + 10]) for i in range(0, 600, 10)]
    return '\r\n'.join(['From: Ada <ada@load.test>', 'Subject: ' + ' '.join(text[:6]), 'Message-ID: <>', '', *lines, ''])


def comingAndGoing():
    """RATE messages a second come to 50 mailboxes and go after 20 seconds, beside readers."""
    s, rate, life = Mailkin(50), int(os.environ.get('RATE', 300)), 20
    raw = [letter() for _ in range(50)]
    end, lock, times, came, gone = time.time() + steady, threading.Lock(), [], [0], [0]

    def mail(first, step):
        ask, living = s.asker(), []
        n = first
        due = time.time()
        while time.time() < end:
            due = max(due + step / rate, time.time() - 1)
            time.sleep(max(0, due - time.time()))
            text = re.sub(r'(?im)^message-id:.*$', f'Message-ID: <{n}.{due}@load.test>\r', raw[n // 50 % 50], count=1)
            got = json.loads(ask('POST', f'/v1/ingest?mailbox=user{n % 50}@example.test', text, 'message/rfc822'))
            living.append((time.time() + life, n % 50, got['id']))
            came[0] += 1
            n += step
            while living and living[0][0] < time.time():
                _, box, id = living.pop(0)
                ask('DELETE', f'/v1/email?id={id}', key=s.keys[box])
                gone[0] += 1

    def read():
        ask, n = s.asker(), 0
        while time.time() < end:
            n += 1
            for path in ('/v1/inbox?limit=50', '/v1/inbox?query=account', '/v1/search?mode=keyword&q=account'):
                began = time.perf_counter()
                ask('GET', path, key=s.keys[n % 50])
                with lock:
                    times.append((time.time(), time.perf_counter() - began))
            time.sleep(0.1)

    working = [threading.Thread(target=mail, args=(i, 6)) for i in range(6)] + [threading.Thread(target=read)]
    for w in working:
        w.start()
    time.sleep(life * 1.5)
    tell('for each that comes, with its going and the reads', 'KB written', 'CPU us', 'p50 ms', 'p99 ms', 'MB',
         'descriptors', 'MB index', 'MB store')
    step, rows = max(10, (steady - life * 1.5) / 12), []
    while time.time() + step < end + 1:
        before = s.cpu(), s.io('wchar'), came[0], gone[0]
        time.sleep(step)
        n = max(came[0] - before[2], 1)
        with lock:
            late = sorted(t for at, t in times if at > time.time() - step)
        size = {f: os.path.getsize(os.path.join(s.folder, f)) / 1e6 for f in ('index.db', 'mailkin.db')}
        row = {'p50': late[len(late) // 2] * 1000, 'p99': late[len(late) * 99 // 100] * 1000, 'memory': s.memory(),
               'descriptors': len(os.listdir(f'/proc/{s.process.pid}/fd')), 'index': size['index.db']}
        rows.append(row)
        tell(f'{n / step:.0f}/s come, {(gone[0] - before[3]) / step:.0f}/s go',
             f'{(s.io("wchar") - before[1]) / n / 1000:.1f}', f'{(s.cpu() - before[0]) / n * 1e6:.0f}',
             *(f'{row[what]:.1f}' for what in ('p50', 'p99', 'memory')), row['descriptors'], f'{row["index"]:.0f}',
             f'{size["mailkin.db"]:.0f}')
    for w in working:
        w.join()
    s.stop()
    return [what for what in rows[0] if grew(what, rows)] if soak else []


def grew(what, rows):
    """Tells whether the last third has clearly more of something than the first, by the medians."""
    if what in ('p50', 'p99') and len(rows) < 9:
        return False  # a busy moment would decide it
    third = max(1, len(rows) // 3)
    first, last = (statistics.median(r[what] for r in part) for part in (rows[:third], rows[-third:]))
    slack = {'p50': 2, 'p99': 50, 'memory': 20, 'descriptors': 10, 'index': 5}[what]
    if last > 1.3 * first + slack:
        tell(f'{what} grew', f'{first:.1f}', f'{last:.1f}')
        return True
    return False


try:
    if soak:
        sys.exit(1 if comingAndGoing() else 0)
    receiving()
    sealing()
    waiting()
    searching()
    comingAndGoing()
    if 'MAILPIT' in os.environ:
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'capture-compare.py')
        subprocess.run([sys.executable, beside, server, os.environ['MAILPIT']], check=True)
finally:
    shutil.rmtree(folder, ignore_errors=True)
