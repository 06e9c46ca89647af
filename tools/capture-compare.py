# Compares a test server with Mailpit, side by side in one run: MAILKIN MAILPIT [MESSAGES], two programs on this machine.
#
#   python3 tools/capture-compare.py bin/mailkin mailpit
#
# It starts both with empty stores some times, looks at their memory while idle, sends both 4 KB mails in 50 sessions,
# and lists and searches what came. It prints both sides and the ratio: above 1 Mailkin is ahead. Where the machine is
# not idle, compare the CPU time of the servers.
import http.client, os, re, shutil, statistics, subprocess, sys, tempfile, time

ours, theirs = (os.path.abspath(shutil.which(p) or p) for p in sys.argv[1:3])
messages = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
load = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'capture-load.py')
folder = tempfile.mkdtemp(prefix='capture-compare.')


class Server:
    """A server with an empty store of its own, from its start until it answers."""

    def __init__(self, name, smtp, web):
        self.name, self.smtp, self.web = name, smtp, web
        data = tempfile.mkdtemp(dir=folder)
        if name == 'mailkin':
            command = [ours, 'capture', '--max-messages', '0', '--data-dir', data,
                       '--smtp-addr', f'127.0.0.1:{smtp}', '--http-addr', f'127.0.0.1:{web}']
        else:
            command = [theirs, '--max', '0', '--database', data + '/mailpit.db', '--disable-version-check',
                       '--smtp', f'127.0.0.1:{smtp}', '--listen', f'127.0.0.1:{web}']
        log = open(data + '.log', 'w')
        began = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=log, stderr=log)
        while not self.answers():
            time.sleep(0.002)
        self.start = (time.perf_counter() - began) * 1000

    def answers(self):
        try:
            c = http.client.HTTPConnection('127.0.0.1', self.web)
            c.request('GET', '/readyz')
            return c.getresponse().status == 200
        except OSError:
            if self.process.poll() is not None:
                sys.exit(f'{self.name} ended; its log is in {folder}')
            return False

    def cpu(self):
        """Seconds of CPU that the process has used."""
        task = f'/proc/{self.process.pid}/task'
        return sum(int(open(f'{task}/{t}/schedstat').read().split()[0]) for t in os.listdir(task)) / 1e9

    def memory(self):
        status = open(f'/proc/{self.process.pid}/status').read()
        return int(re.search(r'VmRSS:\s+(\d+)', status)[1]) / 1024

    def get(self, path, seconds=2.0):
        """Asks for so long; returns the first answer's time, the median of the others, and the CPU time of one."""
        c = http.client.HTTPConnection('127.0.0.1', self.web)
        times, before = [], 0
        while len(times) < 6 or sum(times) < seconds:
            if len(times) == 1:
                before = self.cpu()
            began = time.perf_counter()
            c.request('GET', path)
            answer = c.getresponse()
            answer.read()
            assert answer.status == 200, (self.name, path, answer.status)
            times.append(time.perf_counter() - began)
        cpu = (self.cpu() - before) / (len(times) - 1)
        return times[0] * 1000, statistics.median(times[1:]) * 1000, cpu * 1000

    def stop(self):
        self.process.terminate()
        self.process.wait()


def tell(what, unit, mine, other):
    print(f'{what:46} {mine:10.2f} {other:10.2f} {unit:3} {other / max(mine, 1e-6):6.1f} x', flush=True)


print(f'{"":46} {"mailkin":>10} {"mailpit":>10}', flush=True)
starts = {'mailkin': [], 'mailpit': []}
used = {'mailkin': [], 'mailpit': []}
for n in range(7):
    for name, smtp, web in (('mailkin', 31025, 38025), ('mailpit', 32025, 39025)):
        s = Server(name, smtp, web)
        starts[name].append(s.start)
        used[name].append(s.cpu() * 1000)
        s.stop()
tell('start with an empty store', 'ms', *(statistics.median(starts[n]) for n in starts))
tell('  its CPU', 'ms', *(statistics.median(used[n]) for n in used))

pair = [Server('mailkin', 31025, 38025), Server('mailpit', 32025, 39025)]
time.sleep(15)
tell('memory, idle with an empty store', 'MB', *(s.memory() for s in pair))
rate, cost = [], []
for s in pair:
    out = subprocess.run([sys.executable, load, str(s.smtp), str(s.process.pid), str(messages), '50'],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    rate.append(float(re.search(r'wall (\d+)/s', out)[1]))
    cost.append(float(re.search(r'after 12 s (\d+) us', out)[1]) / 1000)
tell('take a 4 KB mail, 50 sessions: wall', 'ms', *(1000 / r for r in rate))
tell('  its CPU', 'ms', *cost)
time.sleep(15)
tell(f'memory, idle with {messages} messages', 'MB', *(s.memory() for s in pair))
for what, path in (('list the newest 50', '/api/v1/messages'),
                   ('list 50 from the middle', f'/api/v1/messages?start={messages // 2}'),
                   ('search a text that is nowhere', '/api/v1/search?query=nosuchword'),
                   ('search a part of a word, in some', '/api/v1/search?query=abca'),
                   ('search an address', '/api/v1/search?query=to:u77@load.test'),
                   ('search a subject', '/api/v1/search?query=subject:m77')):
    results = [s.get(path) for s in pair]
    tell(what + f', {messages}: wall', 'ms', *(r[1] for r in results))
    tell('  its CPU', 'ms', *(r[2] for r in results))
    tell('  the first time, wall', 'ms', *(r[0] for r in results))
time.sleep(15)
tell('memory, after these searches', 'MB', *(s.memory() for s in pair))
for s in pair:
    s.stop()
shutil.rmtree(folder)
