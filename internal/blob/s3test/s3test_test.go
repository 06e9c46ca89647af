package s3test_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/blob/s3test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func dial(t *testing.T, s *s3test.Server) *minio.Client {
	t.Helper()
	tr, err := minio.DefaultTransport(false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.CloseIdleConnections)
	client, err := minio.New(s.Addr(), &minio.Options{
		Creds: credentials.NewStaticV4(s3test.AccessKey, s3test.SecretKey, ""), Region: s3test.Region, Transport: tr,
		MaxRetries: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// What was put is there again, at the same address, after the server was stopped.
func TestRestart(t *testing.T) {
	s := s3test.Start(t)
	client := dial(t, s)
	letter := []byte("Dear reader")
	if _, err := client.PutObject(t.Context(), s3test.Bucket, "a/b", bytes.NewReader(letter), int64(len(letter)),
		minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if _, err := client.StatObject(t.Context(), s3test.Bucket, "a/b", minio.StatObjectOptions{}); err == nil {
		t.Error("a stopped server answers")
	}
	s.Restart(t)
	info, err := client.StatObject(t.Context(), s3test.Bucket, "a/b", minio.StatObjectOptions{})
	if err != nil || info.Size != int64(len(letter)) {
		t.Errorf("%d bytes, %v", info.Size, err)
	}
	if diff := cmp.Diff([]string{"a/b"}, s.Files(t)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

const insideVariable = "MAILKIN_TEST_S3TEST_INSIDE"

// A test process that dies leaves neither a server nor a folder.
func TestGuard(t *testing.T) {
	if os.Getenv(insideVariable) != "" {
		s := s3test.Start(t)
		os.Stdout.WriteString("\naddr " + s.Addr() + " end\n")
		select {} // until it is killed
	}
	temp := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuard$", "-test.v")
	cmd.Env = append(os.Environ(), insideVariable+"=yes", "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	var addr []string
	for buf := make([]byte, 1024); addr == nil; addr = regexp.MustCompile(`addr (\S+) end`).FindStringSubmatch(
		said.String()) {
		n, err := out.Read(buf)
		said.Write(buf[:n])
		if strings.Contains(said.String(), "--- SKIP") {
			t.Skip(said.String())
		}
		if err != nil {
			t.Fatalf("the inner test says %q: %v", said.String(), err)
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	gone := func() bool {
		left, err := filepath.Glob(temp + "/*")
		if err != nil || len(left) > 0 {
			return false
		}
		conn, err := net.Dial("tcp", addr[1])
		if err == nil {
			conn.Close()
		}
		return err != nil
	}
	for deadline := time.Now().Add(time.Minute); !gone(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the server or its folder is still there")
		}
	}
}
