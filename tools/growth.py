# What a store costs as it grows: SERVER [FEW [MANY [ROUNDS]]]. For each route the CPU time that the server takes for a
# request with FEW (1,000) and with MANY (1,000,000) messages in a mailbox, and with FEW and MANY mailboxes, in turns;
# the median of the rounds. It fails where one takes more than 1.2 times as long, or more than its own bound.
#
#   python3 tools/growth.py bin/mailkin 1000 100000
#
# The newest FEW messages are the same in both stores. Every GET of the interface is asked, or named in `apart` with the
# reason.
import http.client, json, os, random, re, shutil, socket, statistics, subprocess, sys, tempfile, threading, time

server = os.path.abspath(sys.argv[1])
few, many, rounds = [int(n) for n in (sys.argv[2:] + ['1000', '1000000', '9'][len(sys.argv) - 2:])]
requests, bound = 40, 1.2
folder = tempfile.mkdtemp(prefix='growth.')
random.seed(1)
words = [''.join(random.choices('abcdefghijklmnoprstuvw', k=random.randint(3, 9))) for _ in range(3000)]


class Store:
    """A server with so many messages in its first mailbox, and so many mailboxes."""

    def __init__(self, messages, boxes):
        self.folder = tempfile.mkdtemp(dir=folder)
        self.process = subprocess.Popen(
            [server, 'serve', '--data-dir', self.folder + '/data', '--domain', 'example.test', '--http-addr',
             '127.0.0.1:0', '--smtp-addr', '127.0.0.1:0', '--lmtp-addr', '', '--dns', 'off', '--min-free-disk', '1MB',
             '--limit-mailbox-messages', '0', '--daily-send-limit', '1000000'],
            stdout=subprocess.PIPE, stderr=open(self.folder + '/log', 'w'), text=True)
        started = ''
        while 'Operator token' not in started:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(open(self.folder + '/log').read())
            started += line
        self.http = re.search(r'HTTP API +http://(\S+)', started)[1]
        self.smtp = re.search(r'SMTP +(\S+),', started)[1].split(':')
        self.token = open(re.search(r'Operator token +(\S+)', started)[1]).read().strip()
        self.api = http.client.HTTPConnection(self.http)
        made = self.ask('POST', '/v1/mailboxes', self.token, {'name': 'box0'})
        self.key, self.address = made['api_key'], made['mailbox']
        before = self.disk()
        self.make(boxes)
        self.box_bytes = (self.disk() - before) / max(boxes - 1, 1)
        if messages > few:  # mail of the last minute before a time is looked at, too
            self.fill(0, messages - few, messages)
            time.sleep(65)
        self.fill(max(messages - few, 0), messages, messages)
        self.settle()
        self.api.close()  # the server has, by now
        self.memory = int(re.search(r'VmRSS:\s+(\d+)', open(f'/proc/{self.process.pid}/status').read())[1]) / 1024

    def ask(self, method, path, key, body=None, on=None):
        api = on or self.api
        api.request(method, path, json.dumps(body) if body else None, {'Authorization': 'Bearer ' + key,
                                                                       'Content-Type': 'application/json'})
        answer = api.getresponse()
        text = answer.read()
        if answer.status >= 400:
            sys.exit(f'{method} {path}: {answer.status} {text.decode()[:300]}')
        return json.loads(text) if text.startswith((b'{', b'[')) else text

    def make(self, boxes):
        def some(first):
            api = http.client.HTTPConnection(self.http)
            for i in range(first, boxes, 32):
                self.ask('POST', '/v1/mailboxes', self.token, {'name': f'box{i}'}, api)
        together(some, range(1, 33))

    def fill(self, begin, end, of):
        def some(first):
            with self.session() as s:
                for i in range(first, end, 16 * 20):
                    s.mails(self.address, range(i, min(i + 16 * 20, end), 16), of)
        together(some, range(begin, begin + 16))

    def session(self):
        return Session(self.smtp)

    def cpu(self):
        task, total = f'/proc/{self.process.pid}/task', 0
        for t in os.listdir(task):
            try:
                total += int(open(f'{task}/{t}/schedstat').read().split()[0])
            except OSError:  # it has just ended
                pass
        return total / 1e6

    def disk(self):
        files = [os.path.join(d, f) for d, _, names in os.walk(self.folder) for f in names if '.db' in f]
        return sum(os.stat(f).st_blocks * 512 for f in files)

    def settle(self):
        """Waits until all words are in the index, and nothing is done in the background."""
        api, busy = http.client.HTTPConnection(self.http), True
        while busy:
            before = self.cpu()
            time.sleep(3)
            index = self.ask('GET', '/v1/stats', self.key, on=api)['index']
            busy = self.cpu() - before > 60 or index['pending']

    def find(self):
        """What the paths below name."""
        inbox = self.ask('GET', '/v1/inbox?limit=100', self.key)['emails']
        files = self.ask('GET', '/v1/inbox?limit=1&query=has:attachment', self.key)['emails']
        first = inbox[60]
        return {'id': first['id'], 'thread': first['thread_id'], 'address': self.address,
                'since': inbox[9]['received_at'], 'ids': [m['id'] for m in inbox],
                'cursor': self.ask('GET', '/v1/inbox?limit=50', self.key)['next_cursor'],
                'attachment': (self.ask('GET', '/v1/email?id=' + files[0]['id'], self.key)['attachments'][0]['id']
                               if files else '')}


class Session:
    """An SMTP session that sends many mails at once."""

    def __init__(self, address):
        self.socket = socket.create_connection(address)
        self.lines = self.socket.makefile('rb')
        self.say(b'EHLO x\r\n', 1 + 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, data, answers):
        self.socket.sendall(data)
        while answers:
            line = self.lines.readline()
            if not line.startswith(b'2'):
                sys.exit(line.decode() or 'the server hung up')
            answers -= line[3:4] == b' '

    def mails(self, to, numbers, of):
        out = []
        for i in numbers:
            mail = message(of - i)
            out.append(f'MAIL FROM:<ann@else.test>\r\nRCPT TO:<{to}>\r\nBDAT {len(mail)} LAST\r\n'.encode() + mail)
        self.say(b''.join(out), 3 * len(out))


def message(age):
    """The same for the same place from the end."""
    r = random.Random(age)
    text = ' '.join(r.choices(words, k=90))
    head = (f'From: Sender {age % 50} <s{age % 50}@else.test>\r\nTo: x@example.test\r\n'
            f'Message-ID: <{age}.{r.random()}@x>\r\n')
    subject = f'{r.choice(words)} {r.choice(words)} {age // 4}'
    rare = ' seldom' if age % 100 == 5 else ''
    code = f'\r\n\r\nYour verification code is {r.randint(100000, 999999)}.' if age % 7 == 0 else ''
    if age % 10 == 1:
        return (f'{head}Subject: {subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
                f'--b\r\n\r\naccount {text}{rare}\r\n--b\r\nContent-Type: text/csv\r\n'
                f'Content-Disposition: attachment; filename=a.csv\r\n\r\na,b\r\n1,{age}\r\n--b--\r\n').encode()
    return f'{head}Subject: {subject}\r\n\r\naccount {text}{rare}{code}\r\n'.encode()


def together(f, arguments):
    threads = [threading.Thread(target=f, args=(a,)) for a in arguments]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


# Asked with the mailbox's key, and then with the operator's. The first word is the route that is meant.
own = '''me mailbox mailbox/routes stats inbox inbox?limit=50 inbox?limit=50&cursor={cursor} inbox?offset=500
inbox?direction=inbound inbox?seen=false inbox?since={since} inbox?thread_id={thread} inbox?trust=verified
search?q=account&limit=50 search?q=seldom search?q=nowhere search?q=account&mode=keyword search?q=from:s7@else.test
email?id={id} email/check?id={id} email/history?id={id} email/raw?id={id} attachment?id={attachment} threads
thread?id={thread} code?since={since}&timeout=1 wait?since={since}&timeout=1 wait?since={since}&query=account&timeout=1
rejects suppressions drafts lists/receive/allow domains webhook/deliveries webhook/secret'''.split()
all_of_it = '''mailboxes mailboxes?limit=50&offset=400 mailboxes?query=box99 mailboxes/{address}
mailboxes/{address}/keys reviews?mailbox={address} quarantine?mailbox={address} activity audit overview
overview/screening problems queue queue/destinations claims nodes operators reindex secrets sessions
/metrics /health /ready'''.split()
# A list of what few messages or mailboxes fit looks at 20,000 of them, and at no more (docs/decisions/0078); a search
# ranks the newest 1,000 that match, and of FEW messages 10 and 20 do.
bounds = {'GET inbox?trust=verified': 25, 'GET mailboxes?query=box99': 25, 'GET search?q=seldom': 3,
          'GET search?q=from:s7@else.test': 4}
apart = {
    '/v1/events': 'it does not end', '/v1/export': 'its answer is the whole mailbox',
    '/v1/audit/verify': 'it reads the whole log', '/v1/claim/poll': 'belongs to a claim',
    '/v1/drafts/{id}': 'as an email', '/v1/reviews/{id}': 'as an email', '/v1/quarantine/{id}': 'as an email',
    '/v1/domains/{id}': 'no mailbox or message is behind it', '/v1/domains/{id}/dns': 'likewise',
    '/v1/domains/{id}/reports': 'likewise', '/v1/queue/{id}': 'as an email',
    '/v1/webhook/deliveries/{id}': 'as an email',
}


def complete(described):
    """Ends the program where a GET under /v1 is neither asked nor named above."""
    asked = {('/v1/' + p.split('?')[0]).replace('receive/allow', '{list}/{action}') for p in own + all_of_it}
    wanting = [p for p, methods in described['paths'].items()
               if p.startswith('/v1/') and 'get' in methods and p not in asked and p not in apart]
    if wanting:
        sys.exit('tools/growth.py does not ask ' + ', '.join(wanting))


def verbs():
    """What changes something, each as a function of a store and of a number that is new each time."""
    def receive(s, n):
        with s.session() as one:
            one.mails(s.address, range(n * requests, (n + 1) * requests), -10)

    def each(method, path, body):
        def run(s, n):
            for i in range(requests):
                s.ask(method, path.format(id=s.names['ids'][i]), s.key, body and body(n * requests + i))
        return run

    def delete(s, n):
        ids = [m['id'] for m in s.ask('GET', f'/v1/inbox?limit={requests}&offset=100', s.key)['emails']]
        began = s.cpu()
        for i in ids:
            s.ask('DELETE', '/v1/email?id=' + i, s.key)
        return s.cpu() - began
    seen = each('PATCH', '/v1/email?id={id}', lambda i: {'seen': i // requests % 2 == 0})
    return {'receive': receive, 'PATCH email': seen, 'DELETE email': delete,
            'POST send': each('POST', '/v1/send', lambda i: {'to': [f'x{i}@out.test'], 'subject': 's', 'text': 't'}),
            'POST mailboxes': lambda s, n: [s.ask('POST', '/v1/mailboxes', s.token, {'name': f'new{n}-{i}'})
                                            for i in range(requests)]}


def cost(s, f, n):
    s.api.close()  # the server may have: the other store can have taken minutes
    began = s.cpu()
    took = f(s, n)
    return (took if isinstance(took, float) else s.cpu() - began) / requests


def compare(what, small, large):
    for s in small, large:
        s.names = s.find()
    complete(small.ask('GET', '/openapi.json', small.token))
    rows = {}
    for path in own + all_of_it:
        def get(s, n, path=path, key=path in own):
            full = (path if path.startswith('/') else '/v1/' + path).format(**s.names)
            for _ in range(requests):
                s.ask('GET', full, s.key if key else s.token)
        rows['GET ' + path] = get
    slow = []
    print(f'\n| {what} | {few:,} | {many:,} | times |\n|---|---|---|---|')
    for name, f in (rows | verbs()).items():
        pairs = [(cost(small, f, n), cost(large, f, n)) for n in range(rounds)]
        times = statistics.median(b / a for a, b in pairs)
        a, b = (statistics.median(p) for p in zip(*pairs))
        print(f'| {name} | {a:.2f} ms | {b:.2f} ms | {times:.2f} |', flush=True)
        if times > bounds.get(name, bound):
            slow.append(f'{name} takes {times:.2f} times as long ({what})')
    print(f'| memory | {small.memory:.0f} MB | {large.memory:.0f} MB | |')
    return slow


try:
    slow, stores = [], []
    for what, sizes in {'messages': ((few, 1), (many, 1)), 'mailboxes': ((100, few), (100, many))}.items():
        if os.environ.get('ONLY', what) != what:
            continue
        stores = [Store(*size) for size in sizes]
        slow += compare(what, *stores)
        if what == 'mailboxes':
            print(f'| disk for each mailbox | | {stores[1].box_bytes:.0f} B | |')
        for s in stores:
            s.process.terminate()
            s.process.wait()
    if slow:
        sys.exit('\n'.join(slow))
finally:
    for s in stores:
        s.process.poll() is None and s.process.kill()
    shutil.rmtree(folder, ignore_errors=True)
