package service

import (
	"cmp"
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const (
	seeNodeEvery = 30 * time.Second // how often a node says that it is there
	nodeSilent   = 90 * time.Second // after which it does not seem to be
	nodesListed  = 1000
)

// ListedNode is a node as people see it.
type ListedNode struct {
	mailbox.Node
	Here   bool // it is the one that answers
	Silent bool // it was not heard of lately: it was killed, or cannot reach the store
}

// Nodes lists those that work on the store, this one first.
func (s *Service) Nodes(ctx context.Context, _ Access) ([]ListedNode, error) {
	now := s.now()
	here := ListedNode{Node: s.node(), Here: true}
	here.Seen = now
	list := []ListedNode{here}
	if s.opt.Roster == nil {
		return list, nil
	}
	others, err := s.opt.Roster.Nodes(ctx, nodesListed)
	for _, n := range others {
		if n.Name != here.Name {
			list = append(list, ListedNode{Node: n, Silent: now.Sub(n.Seen) > nodeSilent})
		}
	}
	return list, err
}

// node is this one.
func (s *Service) node() mailbox.Node {
	return mailbox.Node{Name: cmp.Or(s.opt.Node, s.opt.Hostname), Version: s.opt.Version, Started: s.began}
}

// seeNode says that this node is there, where there may be others: what is alone writes nothing.
func (s *Service) seeNode(ctx context.Context) error {
	if s.opt.Roster == nil || time.Now().Before(s.nodeSeen) {
		return nil
	}
	err := s.opt.Roster.SeeNode(ctx, s.node())
	if err == nil {
		s.nodeSeen = time.Now().Add(seeNodeEvery)
	}
	return err
}

// leaveNode says that it ends.
func (s *Service) leaveNode(ctx context.Context) error {
	if s.opt.Roster == nil {
		return nil
	}
	return s.opt.Roster.LeaveNode(ctx, s.node().Name)
}
