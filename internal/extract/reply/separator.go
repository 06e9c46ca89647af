package reply

import (
	"strings"
	"unicode/utf8"
)

// separatorsOriginal stand between lines of dashes above the message that is answered.
const separatorsOriginal = `original message,original mail,original e-mail,original email,reply message,replied message,message original,
ursprüngliche nachricht,originalnachricht,original-nachricht,ursprüngliche mail,urspr. nachricht,
message d'origine,message d’origine,message initial,message original,mail original,courriel original,e-mail d'origine,message de réponse,
mensaje original,mensaje de respuesta,correo original,mensagem original,mensagem de resposta,
messaggio originale,messaggio di risposta,origineel bericht,oorspronkelijk bericht,oorspronkelijke bericht,originele bericht,
ursprungligt meddelande,originalmeddelande,oprindelig meddelelse,oprindelig besked,original meddelelse,opprinnelig melding,original melding,
alkuperäinen viesti,upprunaleg skilaboð,upphafleg skilaboð,
oryginalna wiadomość,wiadomość oryginalna,wiadomość oryginalna,treść oryginalnej wiadomości,původní zpráva,původní e-mail,originální zpráva,pôvodná správa,
eredeti üzenet,eredeti levél,mesaj original,mesajul original,izvorna poruka,originalna poruka,izvirno sporočilo,originalno sporočilo,
исходное сообщение,оригинальное сообщение,исходное письмо,первоначальное сообщение,оригінальне повідомлення,вихідне повідомлення,початкове повідомлення,
оригинално съобщение,оригинална порака,оригинална порука,
αρχικό μήνυμα,orijinal ileti,orijinal mesaj,özgün ileti,özgün mesaj,algne kiri,algne sõnum,originaalkiri,sākotnējais ziņojums,oriģinālais ziņojums,
pradinis laiškas,originalus laiškas,pradinis pranešimas,missatge original,mensaxe orixinal,jatorrizko mezua,
הודעה מקורית,ההודעה המקורית,הודעה מקורית,الرسالة الأصلية,رسالة أصلية,پیام اصلی,मूल संदेश,ข้อความต้นฉบับ,ข้อความเดิม,
tin nhắn gốc,thư gốc,thông điệp gốc,pesan asli,pesan awal,mesej asal,orihinal na mensahe,
元のメッセージ,オリジナルメッセージ,元のメール,원본 메시지,원본 메일,원본메일,원본메시지,원래 메시지,원문 메시지,
原始邮件,原邮件,原始信息,回复的原邮件,原始郵件,原始訊息,原郵件,原始信件`

// separatorsForward stand above a message that is passed on, with dashes or with a colon.
const separatorsForward = `forwarded message,forwarded mail,forwarded by,begin forwarded message,begin forwarded,forward message,forwarded email,
weitergeleitete nachricht,anfang der weitergeleiteten nachricht,weitergeleitet von,anfang weitergeleitete nachricht,
message transféré,message transmis,message réexpédié,message transfere,début du message réexpédié,début du message transféré,début du message transmis,courriel transféré,
mensaje reenviado,inicio del mensaje reenviado,mensagem encaminhada,mensagem reencaminhada,início da mensagem encaminhada,início da mensagem reencaminhada,
messaggio inoltrato,inizio messaggio inoltrato,inizio del messaggio inoltrato,doorgestuurd bericht,begin doorgestuurd bericht,
vidarebefordrat meddelande,vidarebefordrat brev,vidarebefordrat mejl,videresendt meddelelse,videresendt besked,videresendt melding,start på videresendt besked,
välitetty viesti,välitetty viesti alkaa,edelleenlähetetty viesti,framsend skilaboð,áframsent,
wiadomość przekazana dalej,przekazana wiadomość,wiadomość przekazana,początek przekazywanej wiadomości,treść przekazanej wiadomości,
přeposlaná zpráva,začátek přeposílané zprávy,předaná zpráva,preposlaná správa,začiatok preposlanej správy,
továbbított üzenet,továbbított levél,továbbított levél kezdete,a továbbított levél kezdete,mesaj redirecționat,mesaj retransmis,începe mesajul redirecționat,
proslijeđena poruka,započni proslijeđenu poruku,prosleđena poruka,posredovano sporočilo,
пересылаемое сообщение,пересланное сообщение,перенаправленное сообщение,начало переадресованного сообщения,пересылаемое письмо,
переслане повідомлення,перенаправлене повідомлення,початок листа,препратено съобщение,препратена порака,прослеђена порука,
προωθημένο μήνυμα,έναρξη προωθημένου μηνύματος,iletilen ileti,iletilmiş mesaj,yönlendirilmiş ileti,yönlendirilen mesaj,ileti başlangıcı,iletilen ileti başlangıcı,
edastatud kiri,edastatud sõnum,pārsūtīts ziņojums,pārsūtītais ziņojums,persiųstas laiškas,persiunčiamas laiškas,missatge reenviat,mensaxe reenviada,
הודעה שהועברה,תחילת ההודעה שהועברה,رسالة معاد توجيهها,رسالة محولة,الرسالة المعاد توجيهها,پیام بازارسال شده,पुनः प्रेषित संदेश,अग्रेषित संदेश,ข้อความที่ส่งต่อ,
thư được chuyển tiếp,thư đã chuyển tiếp,tin nhắn được chuyển tiếp,pesan terusan,pesan yang diteruskan,mesej dimajukan,
転送されたメッセージ,転送メッセージ,転送メール,전달된 메시지,전달된 메일,전달 메시지,转发的邮件,转发邮件,以下是转发的邮件,转发邮件信息,轉寄的郵件,轉寄郵件,轉寄訊息,開始轉寄郵件,以下是轉寄的郵件`

// separatorsTopic stand above what was said before in the mails of forums.
const separatorsTopic = `previous replies,previous discussion,vorherige antworten,vorherige diskussion,réponses précédentes,discussion précédente,
respuestas anteriores,discusión anterior,respostas anteriores,discussão anterior,risposte precedenti,discussione precedente,
vorige reacties,eerdere antwoorden,vorige discussie,tidigare svar,tidligere svar,aiemmat vastaukset,poprzednie odpowiedzi,předchozí odpovědi,
предыдущие ответы,попередні відповіді,önceki yanıtlar,以前的回复,先前的回覆,以前の返信,이전 답글`

// aboveThisLine are what help desks ask for in a line above their mail.
var aboveThisLine = []string{"above this line", "oberhalb dieser zeile", "oberhalb dieser linie", "über dieser zeile", "au-dessus de cette ligne",
	"por encima de esta línea", "encima de esta línea", "acima desta linha", "sopra questa riga", "sopra questa linea", "boven deze regel",
	"boven deze lijn", "ovanför den här raden", "over denne linje", "tämän rivin yläpuolelle", "powyżej tej linii", "nad tento řádek",
	"выше этой строки", "выше этой линии", "bu satırın üst", "この行より上", "이 줄 위에", "此行上方", "此行之上", "deasupra acestei linii", "e sor fölé"}

const maxSeparator = 120 // bytes

// ornament are the characters that separators are drawn with.
const ornament = "-_=*—–─━~#<>[]|+ \t\u00a0"

// separatorAt says whether a line is drawn above history. Without dashes, or with words that are not in the tables, it
// needs a header below it.
func separatorAt(ls []line, i int) bool {
	body := ls[i].body
	if isRunInSeparator(body) {
		return true
	}
	if len(body) > maxSeparator || len(body) < 4 {
		return false
	}
	drawn := strings.IndexByte(ornament, body[0]) >= 0 || body[0] >= utf8.RuneSelf
	if !drawn && !fieldFollows(ls, i) {
		return false
	}
	phrase, drawn := separatorWords(body)
	switch {
	case phrase == "":
		return false
	case drawn:
		return isSeparator(phrase) || isAboveThisLine(phrase) || fieldFollows(ls, i)
	}
	return isSeparator(phrase) && fieldFollows(ls, i)
}

// isRunInSeparator is a separator with the header behind it in the same line, as mail programs on phones leave them:
// "-------- Original message --------From: Ann".
func isRunInSeparator(body string) bool {
	if !strings.HasPrefix(body, "---") {
		return false
	}
	inner := strings.TrimLeft(body[:min(len(body), maxSeparator)], "- ")
	phrase, rest, ok := strings.Cut(inner, "---")
	if !ok || !words().separators[lower(strings.TrimSpace(phrase))] {
		return false
	}
	f, _ := fieldIn(strings.TrimLeft(rest, "- "))
	return f != 0
}

// separatorWords are the words of a separator in lower case, and whether dashes are on both sides of them.
func separatorWords(body string) (phrase string, drawn bool) {
	inner := strings.TrimLeft(body, ornament)
	trimmed := strings.TrimRight(inner, ornament)
	drawn = len(body)-len(inner) >= 2 && len(inner)-len(trimmed) >= 2
	return strings.TrimRight(lower(trimmed), " :：\u00a0"), drawn
}

// isSeparator says whether words are a known separator, or begin with one: "forwarded by Ann Lee on".
func isSeparator(phrase string) bool {
	s := words().separators
	if s[phrase] {
		return true
	}
	for n, i := 0, 0; n < 5; n++ {
		space := strings.IndexByte(phrase[i:], ' ')
		if space < 0 {
			return false
		}
		i += space
		if s[strings.TrimSuffix(phrase[:i], ",")] {
			return n > 0
		}
		i++
	}
	return false
}

func isAboveThisLine(phrase string) bool { return containsAny(phrase, aboveThisLine) }

// fieldFollows says whether the next line is a header field. Apple Mail quotes the head of what it passes on.
func fieldFollows(ls []line, i int) bool {
	k := next(ls, i+1)
	if k == len(ls) || ls[k].depth < ls[i].depth {
		return false
	}
	f, _ := fieldIn(ls[k].body)
	return f != 0
}
