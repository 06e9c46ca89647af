package code

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// longText is a mail of 4 KB with a code in its middle and a good many other numbers.
var longText = func() string {
	para := "Hello Jo, somebody asked to sign in to your account 4481 at Example on 12 March 2024 at 14:05 from " +
		"203.0.113.9, " +
		"with Firefox on Linux. If it was you, there is nothing to do; if it was not, see " +
		"https://example.com/help/448120?from=mail " +
		"and change your password, or call +1 415 555 2671. Order 559120 is not affected, and you still have 1200 " +
		"points.\n\n"
	text := strings.Repeat(para, 5) + "Your verification code is:\n\n338201\n\nIt expires in 10 minutes. Never share " +
		"it.\n\n" + strings.Repeat(para, 8)
	return text[:4<<10]
}()

// longHTML is a mail whose HTML has 4 KB, as a mail builder writes it.
var longHTML = func() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"><style>.a{color:#123456;padding:4px}@media(max-width:600px){.a{width:100%}}</style></head><body style="margin:0">`)
	b.WriteString(`<div style="display:none;max-height:0;overflow:hidden">Your sign-in code &zwnj;&nbsp;&zwnj;&nbsp;</div>`)
	for b.Len() < 3000 {
		b.WriteString(`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:16px 32px;font-family:Arial,sans-serif;font-size:14px">Somebody asked to sign in to your account on 12&nbsp;March 2024. <a href="https://example.com/x?id=448120" style="color:#0055ff">Was it you?</a></td></tr></table>`)
	}
	b.WriteString(`<p>Your verification code:</p><p style="font-size:32px;letter-spacing:8px">338201</p>`)
	for b.Len() < 4000 {
		b.WriteString(`<p class="footer">Example Inc., 100 Main Street, Springfield, IL 62704</p>`)
	}
	b.WriteString(`</body></html>`)
	return b.String()
}()

func BenchmarkText4KB(b *testing.B) {
	m := Mail{From: "no-reply@example.com", FromName: "Example", Subject: "Sign in to Example", Text: longText}
	if Best(m) != "338201" {
		b.Fatal("not found")
	}
	b.SetBytes(int64(len(m.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Best(m)
	}
}

func BenchmarkHTML4KB(b *testing.B) {
	m := Mail{From: "no-reply@example.com", FromName: "Example", Subject: "Sign in to Example", View: seen(longHTML)}
	m.Text = m.View.Text()
	if Best(m) != "338201" {
		b.Fatal("not found")
	}
	b.SetBytes(int64(len(longHTML)))
	b.ReportAllocs()
	for b.Loop() {
		Best(m)
	}
}

// amid puts a code between copies of a paragraph, 4 KB in all.
func amid(para, code string) string {
	text := strings.Repeat(para, 1200/len(para)) + "\n\n" + code + "\n\n" + strings.Repeat(para, 4096/len(para))
	return strings.ToValidUTF8(text[:4<<10], "")
}

// scripts are mails of 4 KB with a code in other scripts than Latin.
var scripts = []struct{ name, subject, text string }{
	{"Cyrillic", "Вход в аккаунт", amid("Здравствуйте! Кто-то запросил вход в ваш аккаунт 12 марта 2024 года в 14:05. "+
		"Если это были не вы, смените пароль. ", "Ваш код подтверждения: 338201")},
	{"Greek", "Σύνδεση στον λογαριασμό", amid("Γεια σας! Κάποιος ζήτησε σύνδεση στον λογαριασμό σας στις 12 Μαρτίου "+
		"2024 στις 14:05. "+
		"Αν δεν ήσασταν εσείς, αλλάξτε τον κωδικό πρόσβασης. ", "Ο κωδικός επαλήθευσης: 338201")},
	{"Arabic", "تسجيل الدخول إلى حسابك", amid("مرحبا! طلب شخص ما تسجيل الدخول إلى حسابك يوم 12 مارس 2024 الساعة 14:05. "+
		"إذا لم تكن أنت، غيّر كلمة المرور. ", "رمز التحقق الخاص بك: 338201")},
	{"Hindi", "खाते में साइन इन", amid("नमस्ते! किसी ने 12 मार्च 2024 को 14:05 बजे आपके खाते में साइन इन करने का "+
		"अनुरोध किया। "+
		"यदि यह आप नहीं थे, तो अपना पासवर्ड बदलें। ", "आपका सत्यापन कोड: 338201")},
	{"Chinese", "登录您的账户", amid("您好！有人在2024年3月12日14:05请求登录您的账户。如果不是您本人操作，请更改密码。您的订单559120不受影响。", "您的验证码：338201")},
	{"Japanese", "アカウントへのログイン", amid("こんにちは。2024年3月12日14:05に、あなたのアカウントへのログインが要求されました。お心当たりがない場合は、パスワードを変更してください。",
		"認証コード：338201")},
}

func BenchmarkScripts4KB(b *testing.B) {
	for _, s := range scripts {
		b.Run(s.name, func(b *testing.B) {
			m := Mail{Subject: s.subject, Text: s.text}
			if Best(m) != "338201" {
				b.Fatal("not found")
			}
			benchmarkBest(b, []Mail{m})
		})
	}
}

// newsletters are mails without a code, each of other words: what was read once is read faster the next time.
func newsletters(size int) []Mail {
	return newslettersOf(size, strings.Fields(`the of and to in is you that it for on are as with they at be this have from or one had by but not what all
		were we when can there an each which she do how their if will up about out many then them these so some her would make like him
		into time has look two more write go see way could people my than first water been who oil its now long down did get come made
		may part garden bread weather season kitchen summer recipe village mountain river window evening story teacher music letter`))
}

// russianNewsletters are the same in Russian.
func russianNewsletters(size int) []Mail {
	return newslettersOf(size, strings.Fields(`и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой
		что весна год от так о для ты же все тот мочь вы человек такой его сказать только или ещё бы себя один как уже до время если
		сам когда другой вот говорить наш мой знать стать при чтобы дело жизнь кто первый очень два день её новый рука даже во со
		раз где там под можно какой после их работа сад хлеб погода кухня лето рецепт деревня гора река окно вечер рассказ музыка`))
}

func newslettersOf(size int, words []string) (mails []Mail) {
	for seed := range uint64(32) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for n := 1; b.Len() < size; n++ {
			b.WriteString(words[r.IntN(len(words))])
			switch {
			case n%61 == 0:
				b.WriteString(".\n\nIn 2024 ")
			case n%13 == 0:
				b.WriteString(", ")
			case n%11 == 0:
				b.WriteString("\n")
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteString("\n\nExample Inc., 100 Main Street, Springfield, IL 62704\n")
		mails = append(mails, Mail{From: "news@example.com", FromName: "Example", Subject: "News from Example",
			Text: b.String()})
	}
	return mails
}

func benchmarkBest(b *testing.B, mails []Mail) {
	Best(mails[0]) // makes the tables
	b.SetBytes(int64(len(mails[0].Text) + len(pageOf(mails[0].View))))
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		Best(mails[n%len(mails)])
	}
}

func BenchmarkWithout4KB(b *testing.B) { benchmarkBest(b, newsletters(4<<10)) }

func BenchmarkRussianWithout4KB(b *testing.B) { benchmarkBest(b, russianNewsletters(4<<10)) }

func BenchmarkWith4KB(b *testing.B) {
	mails := newsletters(4 << 10)
	for i := range mails {
		mails[i].Text = "Your verification code is:\n\n338201\n\nIt expires in 10 minutes.\n\n" + mails[i].Text
	}
	benchmarkBest(b, mails)
}

func BenchmarkHTML100KB(b *testing.B) {
	mails := newsletters(24 << 10)
	for i := range mails {
		m, html := &mails[i], ""
		for p := range strings.SplitSeq(m.Text, "\n\n") {
			html += `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="left" style="padding:16px 32px;` +
				`font-family:Arial,sans-serif;font-size:14px;line-height:20px;color:#333333"><img src="https://cdn.example.com/images/1f6b0c3d.png" width="600" ` +
				`height="200" alt="" style="display:block;border:0;outline:none;text-decoration:none"><span class="text" style="color:#333333;mso-line-height-rule:exactly">` +
				p + "</span></td></tr></table>\n"
		}
		m.View = seen(html)
	}
	benchmarkBest(b, mails)
}

// hostile are mails of 1 MB that try to make the work grow.
var hostile = map[string]Mail{
	"digits":   {Text: strings.Repeat("1 ", 1<<19)},
	"codes":    {Text: strings.Repeat("code 448120 ", 1<<20/12)},
	"tokens":   {Text: strings.Repeat("A1B2\n", 1<<20/5)},
	"hyphens":  {Text: strings.Repeat("AB-", 1<<20/3)},
	"address":  {Text: strings.Repeat("a.b@", 1<<18)},
	"prefixes": {Text: strings.Repeat("verification cod ", 1<<20/17)},
	"tags":     {View: seen(strings.Repeat("<b>", 1<<20/3))},
	"unclosed": {View: seen(strings.Repeat("<td style=\"", 1<<20/11))},
	"styles":   {View: seen(strings.Repeat("<style>", 1<<20/7))},
	"lone":     {View: seen(strings.Repeat("<", 1<<20))},
	"entities": {View: seen(strings.Repeat("&a", 1<<19))},
	"comments": {View: seen(strings.Repeat("<!--", 1<<18))},
	"marks":    {View: seen(strings.Repeat("<b>4481</b>", 1<<20/11))},
	"han":      {Text: strings.Repeat("验证", 1<<20/6)},
}

func BenchmarkHostile1MB(b *testing.B) {
	for name, m := range hostile {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Best(m)
			}
		})
	}
}
