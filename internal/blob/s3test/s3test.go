// Package s3test gives tests a real S3 server, versitygw, with one empty bucket.
//
// The program is looked for where MAILKIN_TEST_S3_SERVER says, then in the bin folder of this module, where "make
// setup" puts it, then in the path. Without it a test is skipped, with a sentence that says what to do; where CI is
// "true" it fails.
//
// The server listens on an address of its own below 127.0.0.0/8, the same however often it is stopped and started, and
// keeps the objects as files in a temporary folder. The file system must have extended attributes: the server's other
// way of keeping what it knows about an object gets mixed up by a write and a delete at the same time.
//
// Nothing is left of a server, whatever ends the test process: a guard, which is a shell that waits for that end, ends
// the server and removes the folder.
package s3test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// What every server is started with.
const (
	AccessKey = "mailkin-test"
	SecretKey = "mailkin-test-secret"
	Region    = "us-east-1"
	Bucket    = "mail"
)

// patience bounds every step that a test waits for. It is far beyond what any takes.
const patience = 2 * time.Minute

var errMissing = errors.New(`the S3 server versitygw is missing: "make setup" builds it, ` +
	"or set MAILKIN_TEST_S3_SERVER to the program")

// Server is an S3 server. One goroutine at a time may stop and start it.
type Server struct {
	program string
	dir     string
	addr    string
	guard   *guard
	run     *run // nil while it is stopped
}

// Start starts a server for this test and ends it after the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := launch()
	if errors.Is(err, errMissing) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.end)
	return s
}

func launch() (*Server, error) {
	program, err := findProgram()
	if err != nil {
		return nil, err
	}
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mailkin-s3-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the S3 server: %w", err)
	}
	s := &Server{program: program, dir: dir, addr: addr}
	if s.guard, err = watch(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for _, folder := range []string{s.objects(), filepath.Join(s.objects(), Bucket)} {
		err = errors.Join(err, os.Mkdir(folder, 0o700))
	}
	if err == nil {
		err = s.start()
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// objects is the folder of the buckets. A folder in it is a bucket.
func (s *Server) objects() string { return filepath.Join(s.dir, "objects") }

// Addr is host:port, where the server listens.
func (s *Server) Addr() string { return s.addr }

// Endpoint is the server's own URL.
func (s *Server) Endpoint() string { return "http://" + s.addr }

// URLWithKeys is the bucket as a setting says it.
func (s *Server) URLWithKeys() string {
	return "s3://" + url.UserPassword(AccessKey, SecretKey).String() + "@" + Bucket + "?" + s.query()
}

func (s *Server) query() string {
	return url.Values{"endpoint": {s.Endpoint()}, "region": {Region}}.Encode()
}

// Path is the file that the server keeps an object in. Its time is the object's.
func (s *Server) Path(key string) string {
	return filepath.Join(s.objects(), Bucket, filepath.FromSlash(key))
}

// Files lists the objects of the bucket as their keys, by looking at the server's files.
func (s *Server) Files(t testing.TB) []string {
	t.Helper()
	root := filepath.Join(s.objects(), Bucket)
	var keys []string
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted meanwhile
		}
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".sgwtmp" { // the server's own, for uploads under way
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			key, err := filepath.Rel(root, name)
			keys = append(keys, filepath.ToSlash(key))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// findProgram looks for versitygw.
func findProgram() (string, error) {
	if program := os.Getenv("MAILKIN_TEST_S3_SERVER"); program != "" {
		return program, nil
	}
	for folder, _ := os.Getwd(); folder != "" && folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if program, err := exec.LookPath(filepath.Join(folder, "bin", "versitygw")); err == nil {
			return program, nil
		}
	}
	program, err := exec.LookPath("versitygw")
	if err != nil {
		return "", errMissing
	}
	return program, nil
}

// freeAddr returns an address that stays free while a server is stopped: nobody else listens on, or opens connections
// from, a random address below 127.0.0.0/8. Systems that have only 127.0.0.1 get a port that is free just now.
func freeAddr() (string, error) {
	random := net.IPv4(127, byte(1+rand.IntN(254)), byte(rand.IntN(256)), byte(1+rand.IntN(254))).String()
	l, err := net.Listen("tcp", net.JoinHostPort(random, "0"))
	if err != nil {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return "", fmt.Errorf("find a free address: %w", err)
	}
	return l.Addr().String(), l.Close()
}
