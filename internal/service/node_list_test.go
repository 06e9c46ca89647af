package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// roster notes who says that it is there.
type roster struct {
	seen  []time.Time
	left  []string
	nodes []mailbox.Node
}

func (r *roster) SeeNode(context.Context, mailbox.Node) error {
	r.seen = append(r.seen, time.Now())
	return nil
}

func (r *roster) LeaveNode(_ context.Context, name string) error {
	r.left = append(r.left, name)
	return nil
}

func (r *roster) Nodes(context.Context, int) ([]mailbox.Node, error) { return r.nodes, nil }

// A node that is alone is the only one, and writes nothing to say so.
func TestNodeAlone(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Hostname, o.Version = "mx.example", "v3" })
	list, err := k.svc.Nodes(t.Context(), service.Access{})
	k.works("Nodes", err)
	if len(list) != 1 || list[0].Name != "mx.example" || list[0].Version != "v3" || !list[0].Here || list[0].Silent {
		t.Errorf("%+v", list)
	}
}

func TestNodesAmongOthers(t *testing.T) {
	r := &roster{}
	k := newService(t, func(o *service.Options) { o.Node, o.Roster = "a", r })
	now := k.clock.Now()
	r.nodes = []mailbox.Node{{Name: "b", Seen: now.Add(-time.Minute)}, {Name: "a", Seen: now},
		{Name: "c", Seen: now.Add(-2 * time.Minute)}}
	list, err := k.svc.Nodes(t.Context(), service.Access{})
	k.works("Nodes", err)
	if len(list) != 3 || list[0].Name != "a" || !list[0].Here || list[1].Name != "b" || list[1].Silent ||
		list[2].Name != "c" || !list[2].Silent {
		t.Errorf("%+v", list)
	}
}

// A node among others says twice a minute that it is there, and once that it leaves.
func TestNodeIsSeen(t *testing.T) {
	r := &roster{}
	synctest.Test(t, func(t *testing.T) {
		k := newService(t, func(o *service.Options) { o.Node, o.Roster = "a", r })
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		if err := k.svc.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	if n := len(r.seen); n < 3 || n > 5 || len(r.left) != 1 || r.left[0] != "a" {
		t.Errorf("seen %v, left %v", r.seen, r.left)
	}
}
