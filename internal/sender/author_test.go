package sender

import "testing"

func TestAuthor(t *testing.T) {
	for _, tt := range []struct {
		name   string
		fields int
		list   []string
		want   AuthorFault
	}{
		{"one", 1, []string{"ann@example.com"}, OneAuthor},
		{"two of one domain", 1, []string{"ann@example.com", "bob@EXAMPLE.com."}, OneAuthor},
		{"a local program", 1, []string{"root"}, OneAuthor},
		{"a local host", 1, []string{"root@my-host"}, OneAuthor},
		{"a literal", 1, []string{"root@[192.0.2.1]"}, OneAuthor},
		{"a literal of IPv6", 1, []string{"root@[IPv6:2001:db8::1]"}, OneAuthor},
		{"other letters", 1, []string{"ann@bücher.example"}, OneAuthor},
		{"a quoted local part", 1, []string{`"a@b"@example.com`}, OneAuthor},
		{"an unseen letter, which is no other domain", 1, []string{"ann@example.com\u200b", "bob@example.com"}, OneAuthor},
		{"a name beside it", 1, []string{"", "ann@example.com"}, OneAuthor},

		{"two domains", 1, []string{"ann@example.com", "eve@far.example"}, SeveralAuthors},
		{"a subdomain", 1, []string{"ann@example.com", "ann@sub.example.com"}, SeveralAuthors},
		{"a local one beside it", 1, []string{"root", "ann@example.com"}, SeveralAuthors},
		{"two fields", 2, []string{"ann@example.com", "ann@example.com"}, SeveralAuthors},
		{"an empty field beside it", 2, []string{"ann@example.com"}, SeveralAuthors},
		{"two empty fields", 2, nil, SeveralAuthors},

		{"no field", 0, nil, NoAuthor},
		{"an empty field", 1, nil, NoAuthor},
		{"a name alone", 1, []string{""}, NoAuthor},
		{"two signs", 1, []string{"ann@example.com@far.example"}, NoAuthor},
		{"a letter that turns the rest around", 1, []string{"ann@example.com\u202e"}, NoAuthor},
		{"a blank", 1, []string{"ann@example.com far"}, NoAuthor},
		{"a domain as a literal", 1, []string{"ann@[example.com]"}, NoAuthor},
		{"a domain alone", 1, []string{"example.com"}, NoAuthor},
		{"no domain", 1, []string{"ann@"}, NoAuthor},
		{"a wrong one beside it", 1, []string{"ann@example.com", "eve@\u202e"}, NoAuthor},
	} {
		t.Run(tt.name, func(t *testing.T) {
			address, fault := Author(tt.fields, tt.list)
			if fault != tt.want || (address == "") != (fault != OneAuthor) {
				t.Errorf("%q %q, want %q", address, fault, tt.want)
			}
		})
	}
}
