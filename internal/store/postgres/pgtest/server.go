package pgtest

import (
	"errors"
	"net"
	"net/url"
	"os"
	"testing"
)

// Server is a private cluster. Its address, data and databases stay the same however often it is stopped and started.
// One goroutine at a time may stop and start it.
type Server struct {
	cluster cluster
	guard   *guard
	paused  []*os.Process
}

// launch makes a cluster and starts it.
func launch(settings []string) (*Server, error) {
	return launchWith(settings, (*cluster).init)
}

// launchWith starts a cluster that is made by a function.
func launchWith(settings []string, make func(*cluster) error) (*Server, error) {
	programs, err := findPrograms()
	if err != nil {
		return nil, err
	}
	owner, err := findOwner()
	if err != nil {
		return nil, err
	}
	host, port, err := freeAddr()
	if err != nil {
		return nil, err
	}
	dir, err := owner.makeFolder()
	if err != nil {
		return nil, err
	}
	s := &Server{cluster: cluster{programs: programs, owner: owner, dir: dir, host: host, port: port,
		settings: settings}}
	if s.guard, err = s.cluster.watch(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err = make(&s.cluster); err == nil {
		err = s.cluster.start()
	}
	if err != nil {
		s.guard.end()
		return nil, err
	}
	return s, nil
}

// Addr is host:port, where the server listens.
func (s *Server) Addr() string { return net.JoinHostPort(s.cluster.host, s.cluster.port) }

// URL makes a fresh, empty database and returns its URL. The server must be running. The database goes when the server
// does.
func (s *Server) URL(t testing.TB) string {
	t.Helper()
	_, at := makeDatabase(t, s.admin())
	return at
}

// admin is the URL of the database that is always there.
func (s *Server) admin() string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Host: s.Addr(), Path: "/postgres",
		RawQuery: "sslmode=disable"}
	return u.String()
}

// Stop ends the server in order, cutting off its clients, and waits for it. It may be stopped already.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	s.stop(t, "fast")
}

// Kill ends the server as a crash would: nothing is finished or written out, and the next start recovers from the log.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.stop(t, "immediate")
}

// Restart stops the server if it runs, and starts it.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.Stop(t)
	if err := s.cluster.start(); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) stop(t testing.TB, mode string) {
	t.Helper()
	s.resume() // the frozen would not hear of it
	if err := s.cluster.stop(mode); err != nil {
		t.Fatal(err)
	}
}

// end leaves the rest to the guard, which removes the folder too.
func (s *Server) end() {
	s.resume()
	s.guard.end()
}

// Folder makes a folder that is the server's own, next to its data. It goes when the server does.
func (s *Server) Folder(t testing.TB) string { return s.FolderIn(t, s.cluster.dir) }

// FolderIn makes a folder in another one that is the server's own.
func (s *Server) FolderIn(t testing.TB, dir string) string {
	t.Helper()
	folder, err := s.cluster.owner.makeFolderIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
