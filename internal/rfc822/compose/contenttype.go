package compose

import (
	"mime"
	"path"
	"slices"
	"strings"
)

const octetStream = "application/octet-stream"

// contentType is a media type that is safe to write.
type contentType struct {
	media  string
	params []param
}

type param struct{ name, value string }

// maxParam bounds a parameter that came with a type, maxParams their number.
const (
	maxParam  = 60
	maxParams = 8
)

// readContentType makes a type of what a caller gave. Parameters stay, such as a charset or the method of a calendar,
// except those that say how the part is written.
func readContentType(s string) contentType {
	media, params, err := mime.ParseMediaType(s)
	if err == mime.ErrInvalidMediaParameter {
		err, params = nil, nil
	}
	kind, sub, _ := strings.Cut(media, "/")
	if err != nil || !isMediaName(kind) || !isMediaName(sub) || len(media) > maxParam {
		return contentType{media: octetStream}
	}
	// A multipart or message that is carried in base64 is what RFC 2045 6.4 forbids. message/rfc822 is looked at later.
	if kind == "multipart" || kind == "message" && media != nestedMessage {
		return contentType{media: octetStream}
	}
	t := contentType{media: media}
	for name, value := range params {
		plain := isToken(name) && len(name)+len(value) <= maxParam && isPlainParam(value)
		if plain && name != "name" && name != "boundary" && strings.IndexByte(name, '*') < 0 {
			t.params = append(t.params, param{name, value})
		}
	}
	slices.SortFunc(t.params, func(a, b param) int { return strings.Compare(a.name, b.name) })
	t.params = t.params[:min(len(t.params), maxParams)]
	return t
}

// typeOf is the type of an attachment. One that was given without a type has that of its name's ending.
func typeOf(a Attachment) contentType {
	if a.ContentType != "" {
		return readContentType(a.ContentType)
	}
	if media := endings[strings.ToLower(path.Ext(a.Filename))]; media != "" {
		return contentType{media: media}
	}
	return contentType{media: octetStream}
}

// endings are the types of files by the endings of their names. The system's list would differ between machines. What a
// mail program might run is not in it.
var endings = map[string]string{
	".7z": "application/x-7z-compressed", ".avif": "image/avif", ".bmp": "image/bmp", ".csv": "text/csv",
	".doc":  "application/msword",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".epub": "application/epub+zip", ".gif": "image/gif", ".gz": "application/gzip", ".heic": "image/heic",
	".htm": "text/html", ".html": "text/html", ".ico": "image/vnd.microsoft.icon", ".ics": "text/calendar",
	".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".json": "application/json", ".log": "text/plain",
	".m4a": "audio/mp4", ".md": "text/markdown", ".mov": "video/quicktime", ".mp3": "audio/mpeg",
	".mp4": "video/mp4", ".odp": "application/vnd.oasis.opendocument.presentation",
	".ods": "application/vnd.oasis.opendocument.spreadsheet", ".odt": "application/vnd.oasis.opendocument.text",
	".ogg": "audio/ogg", ".pdf": "application/pdf", ".png": "image/png", ".ppt": "application/vnd.ms-powerpoint",
	".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", ".rtf": "application/rtf",
	".svg": "image/svg+xml", ".tar": "application/x-tar", ".tif": "image/tiff", ".tiff": "image/tiff",
	".tsv": "text/tab-separated-values", ".txt": "text/plain", ".vcf": "text/vcard", ".wav": "audio/wav",
	".webm": "video/webm", ".webp": "image/webp", ".xls": "application/vnd.ms-excel",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xml": "application/xml",
	".yaml": "application/yaml", ".yml": "application/yaml", ".zip": "application/zip",
}

// isMediaName is a name that a type can be registered under (RFC 6838 4.2), without the odder tokens of RFC 2045.
func isMediaName(s string) bool {
	for i := range len(s) {
		if !isAlphanumeric(s[i]) && (i == 0 || strings.IndexByte("!#$&-^_.+", s[i]) < 0) {
			return false
		}
	}
	return s != ""
}

// contentType writes the field.
func (h *header) contentType(media string, params ...param) {
	h.parameters("Content-Type", media, params)
}

// parameters writes a field with parameters; those without a value are left out.
func (h *header) parameters(name, value string, params []param) {
	h.begin(name)
	h.word(value)
	for _, p := range params {
		switch {
		case p.value == "":
		case isPlainParam(p.value) && len(p.value) <= maxParam:
			h.mark(';')
			h.word(p.name + "=" + quote(p.value))
		default:
			h.extended(p)
		}
	}
	h.end()
}

// isPlainParam says whether a value means the same to every reader when it stands in quotes: no escapes, which many
// forget to undo, and nothing that looks encoded.
func isPlainParam(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '%' {
			return false
		}
	}
	return s != "" && !strings.Contains(s, "=?")
}
