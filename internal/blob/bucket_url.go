package blob

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// pattern is a regular expression that is made when it is first needed: most deployments have no bucket.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var (
	bucketName   = pattern(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	bucketPrefix = pattern(`^([A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$`)
	bucketRegion = pattern(`^[a-z0-9-]{0,40}$`)
)

// URLError is what is wrong with the URL of a bucket itself, whether or not anybody answers there.
type URLError struct{ error }

func (e *URLError) Unwrap() error { return e.error }

// OpenBucketURL opens a bucket that can be used. One that is away for now is opened too: a node does what can be done
// without it.
func OpenBucketURL(ctx context.Context, text string) (*Bucket, error) {
	options, err := ParseBucketURL(text)
	if err != nil {
		return nil, &URLError{err}
	}
	bucket, err := OpenBucket(options)
	if err != nil {
		return nil, &URLError{err}
	}
	if err := bucket.Ping(ctx); err != nil && (!errors.Is(err, ErrUnavailable) || errors.Is(err, ErrRefused)) {
		return nil, errors.Join(err, bucket.Close())
	}
	return bucket, nil
}

// ParseBucketURL reads a setting of the form
//
//	s3://[access:secret@]bucket[/prefix][?endpoint=https://host:port][&region=…][&path_style=true|false]
//
// Without an endpoint it is Amazon's. With one the bucket is in the path unless path_style says otherwise, because that
// is what services that one runs oneself expect. The errors do not show the setting, which may hold keys.
func ParseBucketURL(text string) (BucketOptions, error) {
	u, err := url.Parse(text)
	if err != nil {
		return BucketOptions{}, errors.New("bucket URL cannot be read; characters such as / in a key must be " +
			"written as %2F")
	}
	if u.Scheme != "s3" || u.Opaque != "" || u.Fragment != "" {
		return BucketOptions{}, errors.New("bucket URL is not of the form s3://bucket/prefix?endpoint=https://host")
	}
	opt := BucketOptions{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/")}
	if u.User != nil {
		opt.Keys.Access = u.User.Username()
		opt.Keys.Secret, _ = u.User.Password()
		if opt.Keys.Access == "" || opt.Keys.Secret == "" {
			return BucketOptions{}, errors.New("bucket URL has half of a pair of keys: it is s3://access:secret@bucket")
		}
	}
	if err := opt.readQuery(u.RawQuery); err != nil {
		return BucketOptions{}, err
	}
	if err := opt.checkNames(); err != nil {
		return BucketOptions{}, err
	}
	return opt, nil
}

func (o *BucketOptions) readQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return errors.New("bucket URL: what follows the ? cannot be read")
	}
	o.PathStyle = query.Has("endpoint")
	for name, values := range query {
		value := values[0]
		switch {
		case len(values) > 1:
			return fmt.Errorf("bucket URL: %q is given twice", name)
		case name == "endpoint":
			if _, err := parseEndpoint(value); err != nil {
				return err
			}
			o.Endpoint = value
		case name == "region":
			o.Region = value
		case name == "path_style":
			if o.PathStyle, err = strconv.ParseBool(value); err != nil {
				return errors.New("bucket URL: path_style is true or false")
			}
		default:
			return errors.New("bucket URL: only endpoint, region and path_style may follow the ?")
		}
	}
	return nil
}

func (o BucketOptions) checkNames() error {
	switch {
	case !bucketName().MatchString(o.Bucket) || strings.Contains(o.Bucket, ".."):
		return errors.New("bucket URL: the bucket's name is 3 to 63 small letters, digits, dots and dashes")
	case !bucketPrefix().MatchString(o.Prefix) || len(o.Prefix) > 200:
		return errors.New("bucket URL: the prefix has parts of A-Z, a-z, 0-9, dots, - and _ with slashes between them")
	case !bucketRegion().MatchString(o.Region):
		return errors.New("bucket URL: the region has the characters a-z, 0-9 and -")
	}
	return nil
}

// check is for OpenBucket, whose options need not come from a URL.
func (o BucketOptions) check() error {
	if o.Keys.Access == "" || o.Keys.Secret == "" {
		return errors.New("open bucket: no keys; they are in the URL, as in s3://access:secret@bucket")
	}
	return o.checkNames()
}

func parseEndpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !validHost(u) || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("bucket URL: the endpoint is of the form https://host:port")
	}
	return u, nil
}

// validHost goes by the library, which would otherwise refuse later.
func validHost(u *url.URL) bool {
	if !s3utils.IsValidDomain(u.Hostname()) && !s3utils.IsValidIP(u.Hostname()) {
		return false
	}
	_, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil || !strings.HasSuffix(u.Host, ":"+u.Port())
}
