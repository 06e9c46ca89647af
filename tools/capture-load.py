# Compares what a test server spends on mail: PORT PID MESSAGES SESSIONS of a running one on this machine.
#
#   mailkin capture --smtp-addr 127.0.0.1:31025 --http-addr 127.0.0.1:38025 &
#   python3 tools/capture-load.py 31025 $! 3000 50
#
# It sends 4 KB mails to 100 addresses, and prints the rate, the CPU of the server for each message, at the end and
# after 12 seconds, and its memory. Compare the CPU where the machine is not idle.
import socket,sys,threading,time,os,random
def cpu(pid):
    f=open(f'/proc/{pid}/stat').read().rsplit(')',1)[1].split(); return (int(f[11])+int(f[12]))/os.sysconf('SC_CLK_TCK')
def rss(pid):
    return [l.split()[1] for l in open(f'/proc/{pid}/status') if l.startswith('VmRSS')][0]
port,pid,n,c=int(sys.argv[1]),int(sys.argv[2]),int(sys.argv[3]),int(sys.argv[4])
words=[''.join(random.choice('abcdefghijklmnop') for _ in range(random.randint(3,9))) for _ in range(3000)]
def body(i):
    t=[];k=0
    while k<3700:
        w=random.choice(words);t.append(w);k+=len(w)+1
    text='';line=''
    for w in t:
        line+=w+' '
        if len(line)>70: text+=line+'\r\n';line=''
    return f'From: A <a@load.test>\r\nTo: u{i%100}@load.test\r\nSubject: m{i}\r\nMessage-ID: <{i}.{random.random()}@load.test>\r\nDate: Mon, 02 Mar 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n{text}\r\n'
pool=[body(i) for i in range(64)]
def work(k):
    s=socket.create_connection(('127.0.0.1',port)); f=s.makefile('rb')
    def rd():
        while True:
            l=f.readline()
            if l[3:4]!=b'-': return l
    rd(); s.sendall(b'EHLO x\r\n'); rd()
    for j in range(n//c):
        i=k*(n//c)+j
        for l in (b'MAIL FROM:<a@load.test>\r\n',b'RCPT TO:<u%d@load.test>\r\n'%(i%100),b'DATA\r\n'): s.sendall(l); r=rd(); assert r[:1] in b'23',r
        s.sendall(pool[i%64].replace('Message-ID: <','Message-ID: <%d.'%i).encode()+b'.\r\n'); r=rd(); assert r[:3]==b'250',r
    s.close()
a=cpu(pid);t=time.time();T=[threading.Thread(target=work,args=(k,)) for k in range(c)]
[x.start() for x in T];[x.join() for x in T]
m=n//c*c; d=time.time()-t; print(f'{m} messages, wall {m/d:.0f}/s, cpu at once {(cpu(pid)-a)/m*1e6:.0f} us/message'); time.sleep(12); print(f'cpu after 12 s {(cpu(pid)-a)/m*1e6:.0f} us/message, rss {rss(pid)} kB')
