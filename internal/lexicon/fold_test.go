package lexicon

import "testing"

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Reset  Your\n\tPassword!":  "reset your password!",
		"E-Mail-Adresse bestätigen": "e-mail-adresse bestatigen",
		"ÆØÅ æøå ß œ đ Ł ẞ ħ":       "aeoa aeoa ss oe d l ss h",
		"Şifreyi SIFIRLA İı":        "sifreyi sifirla ii",
		"Đặt lại mật khẩu mã":       "dat lai mat khau ma",
		"Подтвёрждение Й ї":         "подтверждение и і",
		"Επιβεβαίωση Σας":           "επιβεβαιωση σασ",
		"e\u0301":                   "e",
		"pass\u200bword\u00ad":      "password",
		"Ｌｏｇｉｎ　こちら":                 "login こちら",
		"確認、してください。":                "確認 してください ",
		"l’adresse “x”":             "l'adresse x ",
		"تأكيد الإشْتِراك":          "تاكيد الاشتراك",
		"کلمهٔ عبور":                "كلمه عبور",
		"דוא״ל סִיסְמָה":            "דוא ל סיסמה",
		"हज़ार पढ़ें।":              "हजार पढें ",
		"٣ ۳ ३":                     "3 3 3",
		"\x80\xff":                  " ",
	} {
		if got := string(Fold(nil, in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
