package meaning

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The table is what tools/encoder/student says it is, and both are not larger than they may be.
func TestStudentTable(t *testing.T) {
	const want, most = "829b11e20c59a23d1d92a3fb602ae2e5753fc147edd758ce05bf5b00b47268f0", 30_000_000
	if sum := sha256.Sum256(studentTable); hex.EncodeToString(sum[:]) != want {
		t.Errorf("checksum %x", sum)
	}
	if n := len(studentTable) + len(table); n > most {
		t.Errorf("%d bytes", n)
	}
	for _, damaged := range [][]byte{nil, studentTable[:100], studentTable[:len(studentTable)-1],
		append([]byte("MKSTUD\x001"), studentTable[len(studentMagic):]...), append(slices.Clip(studentTable), 0)} {
		if _, ok := readStudent(damaged); ok {
			t.Errorf("%d bytes are taken for a table", len(damaged))
		}
	}
}

func TestLook(t *testing.T) {
	names := string(studentTable[len(studentMagic)+12:])
	for _, tt := range []struct{ text, want string }{
		{"Where did the courier leave your parcel?", "en"},
		{"lentils fish pasta", "en"},
		{"Aunt Marie and the piano teacher", "en"},
		{"Das Paket liegt beim Nachbarn im zweiten Stock", "de"},
		{"¿Dónde está el paquete que pedí la semana pasada?", "es"},
		{"Votre colis vous attend au point relais", "fr"},
		{"Il pacco è stato consegnato al vicino", "it"},
		{"Onde está a minha encomenda? Ainda não chegou", "pt"},
		{"Het pakket is bij de buren afgegeven", "nl"},
		{"Twoja paczka czeka u sąsiada na drugim piętrze", "pl"},
		{"Ваша посылка ждёт вас на почте", "ru"},
		{"Ваша посилка чекає на вас на пошті", "uk"},
		{"Paketiniz komşunuza teslim edildi", "tr"},
		{"您的快递已到，请在三天内取走", "zh"},
		{"お荷物のお届けについて", "ja"},
		{"택배가 도착했습니다", "ko"},
		{"طردك في انتظارك في مكتب البريد", "ar"},
		{"พัสดุของคุณมาถึงแล้ว", "en"}, // nobody knows it
		{"4711", "en"},
		{"", "en"},
	} {
		s := look(tt.text)
		got := "en"
		if s.sure {
			got = names[2*s.language:][:2]
		}
		if got != tt.want {
			t.Errorf("%q: %s", tt.text, got)
		}
	}
}

// Of English mail nothing more is stored, of a script that the English encoder cannot read nothing else.
func TestRecordOfOtherLanguages(t *testing.T) {
	e := open(t)
	for _, tt := range []struct {
		text    string
		vectors int
		far     bool
	}{
		{"Your parcel waits at the station.", 1, false},
		{"Das Paket liegt bei den Nachbarn im zweiten Stock.", 1, true},
		{"您的快递已到，请在三天内取走。", 0, true},
		{"พัสดุของคุณมาถึงแล้ว", 0, false},
	} {
		rest, vector, language := parted(record(t, e, tt.text))
		if far := language != 0; far != tt.far || far && !vector.Valid() {
			t.Errorf("%q: language %d, %d bytes", tt.text, language, len(vector))
		}
		if tt.far && len(rest) != tt.vectors*(head+Dims) || tt.vectors == 0 && len(rest) > 0 {
			t.Errorf("%q: %d bytes of vectors", tt.text, len(rest))
		}
	}
}

// A mailbox with mail of several languages is searched in each of them, and across.
func TestFindInOtherLanguages(t *testing.T) {
	e := open(t)
	mails := []string{
		"Invoice for October. Please pay the amount that is due within two weeks.",
		"Team lunch. We are eating pizza together on Friday.",
		"Die Rechnung für Oktober. Bitte überweisen Sie den offenen Betrag.",
		"Neues Passwort. Das Kennwort Ihres Kontos wurde gestern geändert.",
		"航班取消通知。由于台风，明天飞往上海的班机停飞，可以免费改签或退票。",
		"密码重置。请点击链接设置您账户的新密码。",
	}
	var records [][]byte
	for _, m := range mails {
		records = append(records, record(t, e, m))
	}
	for _, tt := range []struct {
		query string
		first int
		among []int // the first four
	}{
		{"money that I owe", 0, []int{2}},
		{"wie viel Geld muss ich noch bezahlen", 2, []int{0}},
		{"ich kann mich nicht mit meinem Passwort anmelden", 3, []int{5}},
		{"忘记怎么登录账户", 5, []int{3}},
		{"飞机不能飞", 4, nil},
	} {
		find := e.Query(tt.query).Find(10)
		for i, r := range records {
			if !find.Add(uint64(i), r) {
				t.Errorf("%q is no record", mails[i])
			}
		}
		var got []int
		for _, h := range find.Hits(0.25) {
			got = append(got, int(h.ID))
		}
		if len(got) == 0 || got[0] != tt.first {
			t.Errorf("%q: %v", tt.query, got)
		}
		for _, id := range tt.among {
			if !slices.Contains(got[:min(len(got), 4)], id) {
				t.Errorf("%q: %v", tt.query, got)
			}
		}
	}
}

// Records come from a disk: whatever they are, nothing panics, and what is no record is none.
func FuzzFarRecord(f *testing.F) {
	e := open(f)
	queries := []Query{e.Query("the parcel"), e.Query("Das Paket liegt bei den Nachbarn"), e.Query("我的包裹在哪里")}
	f.Add(record(f, e, "Das Paket liegt bei den Nachbarn"))
	f.Add(record(f, e, "您的快递已到"))
	f.Add(record(f, e, "The parcel waits at the station, and you can come for it with your passport."))
	f.Add([]byte{spoken | 3})
	f.Fuzz(func(t *testing.T, r []byte) {
		for _, q := range queries {
			find := q.Find(3)
			find.Add(1, r)
			find.Add(2, slices.Clone(r))
			if hits := find.Hits(0.25); len(hits) > 3 {
				t.Errorf("%d hits", len(hits))
			}
		}
	})
}

// TestTeach writes what the student learns from: of each line of a file, in lower case, the English encoder's vector,
// Dims signed bytes. tools/encoder/student says how.
func TestTeach(t *testing.T) {
	in, out := os.Getenv("TEACH_IN"), os.Getenv("TEACH_OUT")
	if in == "" {
		t.Skip("TEACH_IN is not set")
	}
	data, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	e := open(t)
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	made := make([]byte, len(lines)*Dims)
	var readers sync.WaitGroup
	for core := range runtime.NumCPU() {
		readers.Go(func() {
			for i := core; i < len(lines); i += runtime.NumCPU() {
				copy(made[i*Dims:], e.Vector(strings.ToLower(lines[i]))[head:])
			}
		})
	}
	readers.Wait()
	if err := os.WriteFile(out, made, 0o600); err != nil {
		t.Fatal(err)
	}
}
