package sender

import "testing"

func TestAuthor(t *testing.T) {
	for _, tt := range []struct {
		name   string
		fields int
		list   []string
		want   AuthorFault
	}{
		{"quotes around all", 1, []string{`"ann@example.com"`}, NoAuthor},
		{"a quoted address before it", 1, []string{`"ann@bank.example"eve@example.com`}, NoAuthor},
		{"a sign behind it", 1, []string{"ann@example.com@"}, NoAuthor},
		{"a colon behind it", 1, []string{"ann@example.com:"}, NoAuthor},
		{"a backslash behind it", 1, []string{`ann@example.com\`}, NoAuthor},
		{"two dots", 1, []string{"ann@example..com"}, NoAuthor},
		{"no user", 1, []string{"@example.com"}, NoAuthor},
		{"a user that turns the rest around", 1, []string{"ann\u202e@example.com"}, NoAuthor},
		{"two fields, the first one wrong", 2, []string{"ann@example.com:", "eve@far.example"}, SeveralAuthors},

		{"one", 1, []string{"ann@example.com"}, OneAuthor},
		{"two of one domain", 1, []string{"ann@example.com", "bob@EXAMPLE.com."}, OneAuthor},
		{"other letters", 1, []string{"ann@bücher.example"}, OneAuthor},
		{"a quoted local part", 1, []string{`"a@b"@example.com`}, OneAuthor},
		{"an unseen letter, which is no other domain", 1, []string{"ann@example.com\u200b", "bob@example.com"},
			OneAuthor},
		{"a name beside it", 1, []string{"", "ann@example.com"}, OneAuthor},

		{"two domains", 1, []string{"ann@example.com", "eve@far.example"}, SeveralAuthors},
		{"a subdomain", 1, []string{"ann@example.com", "ann@sub.example.com"}, SeveralAuthors},
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
			for _, local := range []bool{false, true} {
				address, fault := Author(tt.fields, tt.list, local)
				if fault != tt.want || fault == OneAuthor && address == "" || fault == NoAuthor && address != "" {
					t.Errorf("%q %q, want %q", address, fault, tt.want)
				}
			}
		})
	}
}

// Users and hosts without a domain are authors of mail from nearby only.
func TestLocalAuthor(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []string
	}{
		{"a local program", []string{"root"}},
		{"a local host", []string{"root@my-host"}},
		{"a literal", []string{"root@[192.0.2.1]"}},
		{"a literal of IPv6", []string{"root@[IPv6:2001:db8::1]"}},
	} {
		if address, fault := Author(1, tt.list, true); fault != OneAuthor || address != tt.list[0] {
			t.Errorf("%s nearby: %q %q", tt.name, address, fault)
		}
		if address, fault := Author(1, tt.list, false); fault != NoAuthor || address != "" {
			t.Errorf("%s from afar: %q %q", tt.name, address, fault)
		}
	}
	if _, fault := Author(1, []string{"root", "ann@example.com"}, true); fault != SeveralAuthors {
		t.Errorf("a local one and another: %q", fault)
	}
}

func TestFirstAuthor(t *testing.T) {
	for _, fields := range []int{1, 2} {
		if address, _ := Author(fields, []string{"", "ann@example.com", "bob@example.com"},
			false); address != "ann@example.com" {
			t.Errorf("%d fields: %q", fields, address)
		}
	}
}
