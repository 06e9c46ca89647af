package blob

import (
	"fmt"
	"strings"
)

const maxKeyPart = 64

// splitKey takes "<mailbox>/<id>" apart and refuses everything that is not exactly that, so that a key can neither
// leave the store's folder nor meet the draft folder.
func splitKey(key string) (box, id string, err error) {
	box, id, _ = strings.Cut(key, "/")
	if !validPart(box) || !validPart(id) {
		return "", "", fmt.Errorf("invalid blob key %q", key)
	}
	return box, id, nil
}

func validPart(s string) bool {
	if len(s) == 0 || len(s) > maxKeyPart {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return true
}

// Path is the file of an object within a folder of blobs: 12345/abc is 45/12345/abc.
func Path(key string) (string, error) {
	box, id, err := splitKey(key)
	if err != nil {
		return "", err
	}
	return shard(box) + "/" + box + "/" + id, nil
}

// shard is the end of the mailbox number, two characters: consecutive numbers spread evenly, and a person finds the
// folder of mailbox 12345 under 45 without a tool.
func shard(box string) string {
	if len(box) < 2 {
		return "0" + box
	}
	return box[len(box)-2:]
}
