package blob

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseBucketURL(t *testing.T) {
	keys := BucketKeys{Access: "AK", Secret: "se/cret+"}
	for _, tt := range []struct {
		name, text string
		want       BucketOptions
	}{
		{"Amazon", "s3://mail", BucketOptions{Bucket: "mail"}},
		{"Amazon, region", "s3://mail?region=eu-central-1", BucketOptions{Bucket: "mail", Region: "eu-central-1"}},
		{"Amazon, path", "s3://mail?path_style=true", BucketOptions{Bucket: "mail", PathStyle: true}},
		{"prefix", "s3://mail/a/b/", BucketOptions{Bucket: "mail", Prefix: "a/b"}},
		{"no prefix", "s3://mail/", BucketOptions{Bucket: "mail"}},
		{"keys", "s3://AK:se%2Fcret+@mail", BucketOptions{Bucket: "mail", Keys: keys}},
		{
			"all", "s3://AK:se%2Fcret%2B@my.mail-1/v1?endpoint=http://127.0.0.1:7070&region=garage",
			BucketOptions{Bucket: "my.mail-1", Prefix: "v1", Endpoint: "http://127.0.0.1:7070", Region: "garage",
				PathStyle: true, Keys: keys},
		},
		{"IPv6", "s3://mail?endpoint=http://[::1]:7070", BucketOptions{Bucket: "mail", Endpoint: "http://[::1]:7070",
			PathStyle: true}},
		{
			"virtual host", "s3://mail?endpoint=https%3A%2F%2Fs3.example.com%2F&path_style=false",
			BucketOptions{Bucket: "mail", Endpoint: "https://s3.example.com/"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseBucketURL(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			got.Keys = keys
			b, err := OpenBucket(got)
			if err != nil {
				t.Fatal(err)
			}
			b.Close()
		})
	}
}

func TestParseBucketURLRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":           "",
		"a folder":          "/var/mail",
		"another scheme":    "https://SECRET:SECRET@mail",
		"opaque":            "s3:SECRET",
		"no bucket":         "s3://SECRET:SECRET@",
		"slash in a key":    "s3://AK:SEC/SECRET@mail",
		"bad escape":        "s3://AK:%SECRET@mail",
		"short bucket":      "s3://ab",
		"bucket in capital": "s3://SECRET-Mail",
		"bucket with dots":  "s3://a..b",
		"port":              "s3://mail:7070",
		"half of the keys":  "s3://SECRET@mail",
		"empty secret":      "s3://SECRET:@mail",
		"dot prefix":        "s3://mail/../SECRET",
		"double slash":      "s3://mail/a//b",
		"long prefix":       "s3://mail/" + strings.Repeat("a", 201),
		"unknown setting":   "s3://mail?SECRET=1",
		"twice":             "s3://mail?region=a&region=b",
		"path style":        "s3://mail?path_style=SECRET",
		"endpoint":          "s3://mail?endpoint=SECRET",
		"endpoint scheme":   "s3://mail?endpoint=ftp://SECRET",
		"endpoint host":     "s3://mail?endpoint=http://!SECRET",
		"endpoint port":     "s3://mail?endpoint=http://host:70000",
		"endpoint no port":  "s3://mail?endpoint=http://host:",
		"endpoint path":     "s3://mail?endpoint=http://host/SECRET",
		"endpoint keys":     "s3://mail?endpoint=http://a:SECRET@host",
		"region":            "s3://mail?region=SECRET",
		"fragment":          "s3://mail#SECRET",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseBucketURL(text)
			if err == nil {
				t.Fatalf("taken as %+v", got)
			}
			if strings.Contains(err.Error(), "SECRET") && name != "unknown setting" {
				t.Errorf("the error shows the setting: %v", err)
			}
		})
	}
}

func TestOpenBucketRefuses(t *testing.T) {
	good := BucketOptions{Bucket: "mail", Keys: BucketKeys{Access: "a", Secret: "b"}}
	for name, change := range map[string]func(*BucketOptions){
		"no keys":      func(o *BucketOptions) { o.Keys = BucketKeys{} },
		"no secret":    func(o *BucketOptions) { o.Keys.Secret = "" },
		"bad bucket":   func(o *BucketOptions) { o.Bucket = "A" },
		"bad prefix":   func(o *BucketOptions) { o.Prefix = "/a" },
		"bad endpoint": func(o *BucketOptions) { o.Endpoint = "host:80" },
	} {
		opt := good
		change(&opt)
		if _, err := OpenBucket(opt); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestKeysDoNotPrint(t *testing.T) {
	opt := BucketOptions{Bucket: "mail", Keys: BucketKeys{Access: "ACCESS", Secret: "SECRET", Session: "SESSION"}}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		text := fmt.Sprintf(format, opt) + fmt.Sprintf(format, &opt) + fmt.Sprintf(format, opt.Keys)
		for _, word := range []string{"ACCESS", "SECRET", "SESSION"} {
			if strings.Contains(text, word) {
				t.Errorf("%s prints %s", format, text)
			}
		}
	}
}

func FuzzParseBucketURL(f *testing.F) {
	f.Add("s3://AK:secret@mail/a/b?endpoint=http://127.0.0.1:7070&region=x&path_style=true")
	f.Add("s3://mail/%2e%2e/")
	f.Add("s3://000?endpoint=http://!0")
	f.Fuzz(func(t *testing.T, text string) {
		opt, err := ParseBucketURL(text)
		if err != nil {
			return
		}
		opt.Keys = BucketKeys{Access: "a", Secret: "b"}
		b, err := OpenBucket(opt)
		if err != nil {
			t.Fatalf("%q is read and then refused: %v", text, err)
		}
		defer b.Close()
		name, err := b.object("12345/abc")
		if key, ok := b.key(name); err != nil || key != "12345/abc" || !ok || strings.Contains(name, "..") &&
			!strings.Contains(opt.Prefix, "..") {
			t.Errorf("%q has an object %q that is %q", text, name, key)
		}
	})
}
