package blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket is a Store in a bucket of an S3 service. The object 12345/abc is <prefix>45/12345/abc: the shard first, so
// that load spreads, and a mailbox is one prefix. Drafts are below <prefix>tmp/. Any number of processes may share a
// bucket.
//
// What S3 cannot do as a disk can:
//
//   - Bytes have one name. Every key of a Commit is an object of its own, copied by the service.
//   - There is no commit of several objects. Commit makes them one by one and takes back what it made when one fails;
//     if the service is away by then, they are left for Sweep.
//   - Whether a key is free is asked with the upload itself (If-None-Match, which some services ignore), or just before
//     it for copies and where the service does not know how. Two commits of one key at the same instant may both
//     succeed. Keys are random, so there are none.
//   - An object that is deleted while it is read ends with ErrNotFound.
//
// Nothing waits for long: a request that makes no progress for patience is given up, and tried again twice. So a call
// answers within about ten seconds when the service is away, with ErrUnavailable.
type Bucket struct {
	name   string
	prefix string // empty, or ends with a slash
	client *minio.Core
	pool   *http.Transport
	times  times
	// asksFirst is set when the service has said that it does not know If-None-Match.
	asksFirst atomic.Bool
	// Seals has the keys of mailboxes; nil: nothing is sealed. It is set before the first use.
	Seals Sealer
}

var _ Store = (*Bucket)(nil)

// draftPrefix cannot meet a shard: those have two characters.
const draftPrefix = "tmp/"

// OpenBucket gets ready to use a bucket. It does not talk to the service: Ping tells whether it can be used.
func OpenBucket(opt BucketOptions) (*Bucket, error) {
	endpoint, err := opt.endpoint()
	if err != nil {
		return nil, err
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	lookup := minio.BucketLookupDNS
	if opt.PathStyle {
		lookup = minio.BucketLookupPath
	}
	b := &Bucket{name: opt.Bucket, pool: transport(), times: usualTimes}
	if opt.Prefix != "" {
		b.prefix = opt.Prefix + "/"
	}
	b.client, err = minio.NewCore(endpoint.Host, &minio.Options{
		Creds:        credentials.NewStaticV4(opt.Keys.Access, opt.Keys.Secret, opt.Keys.Session),
		Secure:       endpoint.Scheme == "https",
		Region:       opt.region(),
		BucketLookup: lookup,
		Transport:    b.pool,
		MaxRetries:   1, // tries are counted here
	})
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %s", opt.Bucket, describe(err))
	}
	return b, nil
}

// transport is one of our own, because the usual one takes a proxy from the environment and keeps two connections.
func transport() *http.Transport {
	dialer := net.Dialer{Timeout: 3 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: 3 * time.Second,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     30 * time.Second,
		DisableCompression:  true,
	}
}

func (b *Bucket) Create(ctx context.Context) (Draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := newBucketDraft(b)
	var err error
	w.pack.seal, err = sealerOf(b.Seals)
	return w, err
}

func (b *Bucket) Open(ctx context.Context, key string) (Object, error) {
	name, err := b.object(key)
	if err != nil {
		return nil, err
	}
	src, err := b.openSource(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("open blob %s: %w", key, err)
	}
	o, err := openObject(src, src.size, func(keys []byte) (*frameSeal, error) {
		return openSeal(ctx, b.Seals, key, keys)
	})
	if err != nil {
		return nil, fmt.Errorf("open blob %s: %w", key, err)
	}
	return o, nil
}

// Ping writes a small object and removes it. It tries once: the caller will ask again.
func (b *Bucket) Ping(ctx context.Context) error {
	name := b.draftName()
	err := b.once(ctx, b.times.patience, func(ctx context.Context, _ func()) error {
		word := []byte("ping")
		sum := sha256.Sum256(word)
		_, err := b.client.PutObject(ctx, b.name, name, bytes.NewReader(word), int64(len(word)), "",
			hex.EncodeToString(sum[:]),
			minio.PutObjectOptions{})
		if err != nil {
			return err
		}
		return b.client.RemoveObject(ctx, b.name, name, minio.RemoveObjectOptions{})
	})
	if err != nil {
		return fmt.Errorf("ping bucket: %w", explain(ctx, err))
	}
	return nil
}

// Free returns the largest values: a bucket has no end.
func (b *Bucket) Free() (free, total uint64, err error) { return math.MaxUint64, math.MaxUint64, nil }

// Close closes the connections that nobody uses.
func (b *Bucket) Close() error {
	b.pool.CloseIdleConnections()
	return nil
}

// object is the name of a key in the bucket.
func (b *Bucket) object(key string) (string, error) {
	box, id, err := splitKey(key)
	if err != nil {
		return "", err
	}
	return b.boxPrefix(box) + id, nil
}

func (b *Bucket) objects(keys []string) ([]string, error) {
	names := make([]string, len(keys))
	for i, key := range keys {
		name, err := b.object(key)
		if err != nil {
			return nil, err
		}
		names[i] = name
	}
	return names, nil
}

// key is the key of a name in the bucket; not ok for what is none of ours.
func (b *Bucket) key(name string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(name, b.prefix)
	if !ok {
		return "", false
	}
	place, key, _ := strings.Cut(rest, "/")
	box, _, err := splitKey(key)
	return key, err == nil && shard(box) == place
}

func (b *Bucket) boxPrefix(box string) string { return b.prefix + shard(box) + "/" + box + "/" }

func (b *Bucket) draftName() string { return b.prefix + draftPrefix + strings.ToLower(rand.Text()) }

// BucketOptions say which bucket, where, and with whose keys.
type BucketOptions struct {
	Bucket    string
	Prefix    string // of every name in the bucket, without slashes at its ends; may be empty
	Endpoint  string // "https://host:port" of the service; empty for Amazon's
	Region    string // empty for us-east-1
	PathStyle bool   // the bucket is in the path and not in the host name
	Keys      BucketKeys
}

// BucketKeys are the credentials. They do not print.
type BucketKeys struct {
	Access, Secret string
	Session        string // only with temporary keys
}

const hiddenKeys = "[keys]"

func (BucketKeys) String() string { return hiddenKeys }

func (BucketKeys) GoString() string { return hiddenKeys }

func (o BucketOptions) region() string {
	if o.Region == "" {
		return "us-east-1"
	}
	return o.Region
}

func (o BucketOptions) endpoint() (*url.URL, error) {
	if o.Endpoint == "" {
		return &url.URL{Scheme: "https", Host: "s3." + o.region() + ".amazonaws.com"}, nil
	}
	return parseEndpoint(o.Endpoint)
}
