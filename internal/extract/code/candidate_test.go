package code

import (
	"slices"
	"strings"
	"testing"
)

func TestFindTellsWhy(t *testing.T) {
	best, all := Find(Mail{
		Subject: "Your sign-in code",
		Text:    "Order number 559120\n\nYour verification code is:\n\n338201\n\nCall 18005550199.",
	})
	if best != "338201" || len(all) != 2 {
		t.Fatalf("got %q of %+v", best, all)
	}
	if want := []string{`below "verification code"`, "alone on its line"}; !slices.Equal(all[0].Why, want) {
		t.Errorf("why %q, want %q", all[0].Why, want)
	}
	if all[1].Code != "559120" || all[1].Score > 0.1 || !slices.Contains(all[1].Why, "named as something else") {
		t.Errorf("the order number is %+v", all[1])
	}
}

func TestFindGivesTenAtMost(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		text.WriteString("The number 44")
		text.WriteByte(byte('0' + i/10))
		text.WriteByte(byte('0' + i%10))
		text.WriteString(" was drawn, and so on.\n")
	}
	if _, all := Find(Mail{Text: text.String()}); len(all) != maxCandidates {
		t.Errorf("%d candidates", len(all))
	}
}

// The code is what a person would type.
func TestCodeAsTyped(t *testing.T) {
	for _, row := range []struct{ name, written, want string }{
		{"plain", "448120", "448120"},
		{"groups", "448 120", "448120"},
		{"hyphen between digits", "448-120", "448120"},
		{"en dash", "448–120", "448120"},
		{"dash with spaces", "448 – 120", "448120"},
		{"middle dot", "448·120", "448120"},
		{"no-break space", "448\u00a0120", "448120"},
		{"thin space", "448\u2009120", "448120"},
		{"characters without width", "448\u200b120\u2060", "448120"},
		{"soft hyphen", "448\u00ad120", "448120"},
		{"full width", "４４８１２０", "448120"},
		{"keycaps", "4\ufe0f\u20e34\ufe0f\u20e38\ufe0f\u20e31\ufe0f\u20e32\ufe0f\u20e30\ufe0f\u20e3", "448120"},
		{"mathematical", "𝟒𝟒𝟖𝟏𝟐𝟎", "448120"},
		{"Arabic", "٤٤٨١٢٠", "448120"},
		{"Persian", "۴۴۸۱۲۰", "448120"},
		{"Devanagari", "४४८१२०", "448120"},
		{"Bengali", "৪৪৮১২০", "448120"},
		{"Tamil", "௪௪௮௧௨௦", "448120"},
		{"Thai", "๔๔๘๑๒๐", "448120"},
		{"Lao", "໔໔໘໑໒໐", "448120"},
		{"Khmer", "៤៤៨១២០", "448120"},
		{"Burmese", "၄၄၈၁၂၀", "448120"},
		{"Tibetan", "༤༤༨༡༢༠", "448120"},
		{"one by one", "4 4 8 1 2 0", "448120"},
		{"stars", "**448120**", "448120"},
		{"three stars", "***448120***", "448120"},
		{"stars and spaces", "** 448120 **", "448120"},
		{"number signs", "##448120##", "448120"},
		{"underscores", "__448120__", "448120"},
		{"tildes", "~~448120~~", "448120"},
		{"dashes", "--448120--", "448120"},
		{"brackets", "【448120】", "448120"},
		{"double brackets", "[[448120]]", "448120"},
		{"angle brackets", "<448120>", "448120"},
		{"guillemets", "«448120»", "448120"},
		{"quotation marks", "“448120”", "448120"},
		{"one by one, a dot between", "4 4 8 · 1 2 0", "448120"},
		{"prefix", "G-448120", "G-448120"},
		{"letters and hyphen", "ABC-D4F", "ABC-D4F"},
		{"letters in groups", "7F3K 9QX2", "7F3K9QX2"},
		{"pairs and hyphens", "AB-12-CD", "AB-12-CD"},
		{"case is kept", "aB3dE9", "aB3dE9"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := Best(Mail{Subject: "Your verification code", Text: "Your verification code is:\n\n" +
				row.written + "\n"}); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
