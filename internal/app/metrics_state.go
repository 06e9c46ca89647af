package app

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/datadir"
)

const (
	// stateTime is how long what was found is good for, however many ask.
	stateTime = 2 * time.Second
	// lookTime is how long the store may take to answer.
	lookTime = time.Second
)

// state collects what is looked up when the metrics are asked for. Nothing is done for it otherwise. A value that
// cannot be had is left out.
type state struct {
	app   *App
	descs map[string]*prometheus.Desc

	mu    sync.Mutex
	at    time.Time
	found []prometheus.Metric
}

// watchState shows the state of the deployment as metrics.
func watchState(registry *prometheus.Registry, a *App) {
	s := &state{app: a, descs: make(map[string]*prometheus.Desc)}
	for _, m := range []struct {
		name, help string
		labels     []string
	}{
		{"mailkin_build_info", "Always 1; its labels are the version of the program, its revision in the repository, and " +
			"the version of Go.", []string{"version", "revision", "go_version"}},
		{"mailkin_deliveries_waiting", "Deliveries still to be tried, over all nodes, counted up to 10,000.", nil},
		{"mailkin_deliveries_on_hold", "Deliveries that an operator keeps in the queue, counted up to 10,000.", nil},
		{"mailkin_delivery_oldest_seconds", "How long the oldest delivery that still waits has been due, over " +
			"all nodes; 0 if none waits.", nil},
		{"mailkin_webhook_events_waiting", "Events still to be posted to webhooks, over all nodes, counted up to 10,000.",
			nil},
		{"mailkin_webhook_lag_seconds", "How long ago the oldest event happened that is still to be posted to a " +
			"webhook, over all nodes; 0 if none is.", nil},
		{"mailkin_index_lag_seconds", "How long the oldest message has waited that is not in the index of words.", nil},
		{"mailkin_index_partitions", "Partitions of which this node makes the index of words now.", nil},
		{"mailkin_store_bytes", "Bytes that the database and the index take up, large messages not included.",
			[]string{"part"}},
		{"mailkin_disk_free_bytes", "Free bytes on the disk of the data folder.", nil},
		{"mailkin_disk_size_bytes", "Size of the disk of the data folder.", nil},
		{"mailkin_disk_reserved_bytes", "Free bytes on the disk of the data folder below which mail is put " +
			"off (min_free_disk).", nil},
		{"mailkin_certificate_expiry_timestamp_seconds", "When the certificate for a name ends.", []string{"name"}},
		{"mailkin_backup_last_timestamp_seconds", "When the last backup of the data folder was complete; missing until " +
			"there is one.", nil},
		{"mailkin_chore_last_timestamp_seconds", "When this node last did all of a regular chore, such as retain " +
			"(deleting mail that is kept no longer).", []string{"chore"}},
	} {
		s.descs[m.name] = prometheus.NewDesc(m.name, m.help, m.labels, nil)
	}
	registry.MustRegister(s)
}

// Describe implements prometheus.Collector.
func (s *state) Describe(to chan<- *prometheus.Desc) {
	for _, d := range s.descs {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (s *state) Collect(to chan<- prometheus.Metric) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.at) > stateTime {
		s.found = nil
		s.look()
		s.at = time.Now()
	}
	for _, m := range s.found {
		to <- m
	}
}

func (s *state) add(name string, value float64, labels ...string) {
	s.found = append(s.found, prometheus.MustNewConstMetric(s.descs[name], prometheus.GaugeValue, value, labels...))
}

func (s *state) look() {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	s.add("mailkin_build_info", 1, Version(), revision(), runtime.Version())
	s.lookAtQueues(ctx)
	s.lookAtStorage(ctx)
	for name, at := range s.app.certs.expiries() {
		s.add("mailkin_certificate_expiry_timestamp_seconds", seconds(at), name)
	}
	if info, err := os.Stat(filepath.Join(s.app.cfg.DataDir, datadir.LastBackup)); err == nil {
		s.add("mailkin_backup_last_timestamp_seconds", seconds(info.ModTime()))
	}
	for name, at := range s.app.workers.Finished() {
		s.add("mailkin_chore_last_timestamp_seconds", seconds(at), name)
	}
}

func (s *state) lookAtQueues(ctx context.Context) {
	if b, err := s.app.svc.Backlog(ctx); err == nil {
		s.add("mailkin_deliveries_waiting", float64(b.Deliveries))
		s.add("mailkin_deliveries_on_hold", float64(b.OnHold))
		s.add("mailkin_delivery_oldest_seconds", s.age(b.OldestDelivery))
		s.add("mailkin_webhook_events_waiting", float64(b.Hooks))
		s.add("mailkin_webhook_lag_seconds", s.age(b.OldestHook))
	}
	if lag, err := s.app.svc.Index().Lag(ctx); err == nil {
		s.add("mailkin_index_lag_seconds", lag.Seconds())
	}
	s.add("mailkin_index_partitions", float64(s.app.svc.Index().Held()))
}

func (s *state) lookAtStorage(ctx context.Context) {
	if n, err := s.app.storage.db.Size(ctx); err == nil {
		s.add("mailkin_store_bytes", float64(n), "database")
	}
	if n, err := s.app.storage.index.Size(ctx); err == nil {
		s.add("mailkin_store_bytes", float64(n), "index")
	}
	if free, total, err := blob.FreeOn(s.app.cfg.DataDir); err == nil {
		s.add("mailkin_disk_free_bytes", float64(free))
		s.add("mailkin_disk_size_bytes", float64(total))
		s.add("mailkin_disk_reserved_bytes", float64(s.app.cfg.MinFree.Bound(total)))
	}
}

// age is how long ago something was, in seconds; 0: it was not, or is yet to come.
func (s *state) age(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return max(s.app.clock.now().Sub(at).Seconds(), 0)
}

func seconds(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }

// revision is the commit that the program was built from; empty: the build does not say.
func revision() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
