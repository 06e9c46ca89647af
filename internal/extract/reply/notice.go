package reply

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// noticeStems are words of legal notices. One of them is nothing; several in a paragraph at the end of a mail are one.
const noticeStems = `confidential,privileged,intended,recipient,addressee,unauthori,disclos,prohibited,notify the sender,received this,in error,disclaimer,
vertraulich,adressat,empfänger,irrtümlich,unbefugt,vernichten,absender,weitergabe,nicht gestattet,
confidentiel,destinataire,pièces jointes,par erreur,interdit,expéditeur,exclusive,autorisée,
confidencial,destinatari,por error,prohibid,remitente,privilegiad,autorizad,
destinatári,por engano,proibid,remetente,
riservat,confidenzial,per errore,vietat,mittente,
vertrouwelijk,geadresseerde,bestemd,afzender,ten onrechte,verboden,niet toegestaan,
konfidentiell,mottagare,avsändare,obehörig,fortrolig,modtager,mottaker,afsender,avsender,ved en fejl,luottamuksell,vastaanottaj,lähettäj,
poufn,odbiorc,nadawc,zabronion,adresat,důvěrn,adresát,odesílatel,příjemc,omyl,bizalmas,címzett,feladó,tévedés,confidenț,confidenţ,expeditor,din eroare,
povjerljiv,primatelj,pošiljatelj,zaupn,prejemnik,
конфиденциальн,адресат,получател,отправител,по ошибке,запрещен,конфіденційн,одержувач,відправник,помилков,поверителн,
εμπιστευτικ,παραλήπτ,αποστολέ,gizli,alıcı,gönderen,yetkisiz,yanlışlıkla,
保密,机密,機密,收件人,收件者,发件人,寄件人,附件,删除,刪除,受信者,送信者,誤って,削除,秘密,비밀,기밀,수신인,수신자,발신인,발신자,삭제,
amtsgericht,handelsregister,registergericht,geschäftsführ,ust-id,sitz der gesellschaft,aufsichtsrat,vorstand,hrb ,registered office,registered in england,company number,vat number,
חסוי,סודי,הנמען,השולח,سرية,المستلم,المرسل إليه,المرسل,محرمانه,گیرنده`

// noticePhrases are enough alone.
var noticePhrases = []string{"consider the environment", "before printing this", "think before you print", "before you print this",
	"denken sie an die umwelt", "bevor sie diese e-mail ausdrucken", "pensez à l'environnement", "pensez à l’environnement", "n'imprimez ce", "medio ambiente antes de imprimir",
	"meio ambiente antes de imprimir", "rispetta l'ambiente", "denk aan het milieu", "tänk på miljön",
	"virus-free.", "checked for viruses by", "virenfrei.", "auf viren geprüft", "auf viren überprüft", "sans virus.", "been scanned for viruses", "libre de virus", "livre de vírus", "privo di virus", "virusvrij", "www.avast.com", "www.avg.com",
	"you received this message because you are subscribed to", "to unsubscribe from this group", "to unsubscribe from this list", "you are receiving this because you",
	"reply to this email directly", "to stop receiving emails from it", "yahoo mail: search, organi"}

// dropNotices drops the legal notices and footers at the end, and gives the length of what is left.
func dropNotices(ls []line) int {
	end := trimmed(ls)
	for end > 0 {
		from, size := end, 0
		for from > 0 && !ls[from-1].blank() && ls[from-1].kind == own {
			from--
			size += len(ls[from].body)
		}
		if from == end || !isNotice(ls[from:end], size) {
			break
		}
		drop(ls[from:end])
		end = trimmed(ls[:from])
		if end > 1 && ls[end-2].blank() && isNoticeTitle(ls[end-1].body) {
			drop(ls[end-1 : end])
			end = trimmed(ls[:end-1])
		}
	}
	return end
}

// noticeTitles stand above legal notices.
const noticeTitles = `disclaimer,legal disclaimer,email disclaimer,e-mail disclaimer,confidentiality,confidentiality notice,confidentiality note,legal notice,important notice,
haftungsausschluss,vertraulichkeitshinweis,rechtlicher hinweis,wichtiger hinweis,avis de confidentialité,avertissement,avis important,
aviso legal,aviso de confidencialidad,aviso de confidencialidade,avviso di riservatezza,avvertenza,vertrouwelijkheid`

func isNoticeTitle(body string) bool {
	if len(body) > maxSeparator {
		return false
	}
	title, _ := separatorWords(body)
	return words().titles[title]
}

// warnings begin what gateways put above mail from outside.
const warnings = `caution,warning,external,extern,externe,attention,alert,achtung,vorsicht,warnung,avertissement,prudence,
precaución,advertencia,atención,cuidado,atenção,aviso,attenzione,avviso,waarschuwing,varning,advarsel,obs,varoitus,uwaga,ostrzeżenie,upozornění,внимание`

// fromOutside and linksInside are what they speak of.
var (
	fromOutside = []string{"outside", "extern", "außerhalb", "ausserhalb", "extérieur", "fuera de", "fora d", "estern", "ekstern",
		"buiten", "utanför", "ulkopuol", "zewnętrzn", "spoza", "внешн", "извне"}
	linksInside = []string{"click", "link", "attachment", "klick", "anhäng", "anhang", "clique", "lien", "pièces jointes", "enlace", "adjunto",
		"anexo", "allegat", "bijlage", "bilag", "vedlegg", "liitte", "załącznik", "odkaz", "ссылк", "вложени"}
)

// dropBanner drops the warning that a gateway has put above a mail, if something stands below it.
func dropBanner(ls []line) {
	const most = 600 // bytes
	to := 0
	var b strings.Builder
	for to < len(ls) && !ls[to].blank() && ls[to].kind == own && b.Len() <= most {
		b.WriteString(ls[to].body)
		b.WriteByte(' ')
		to++
	}
	if b.Len() > most || to == trimmed(ls) {
		return
	}
	text := lower(b.String())
	if words().warnings[firstWord(text)] && containsAny(text, fromOutside) && containsAny(text, linksInside) {
		drop(ls[:to])
	}
}

// isNotice says whether a paragraph is a legal notice or a footer.
func isNotice(ls []line, size int) bool {
	const least, most, footer = 25, 6000, 480
	if size < least || size > most {
		return false
	}
	var b strings.Builder
	for i := range ls {
		b.WriteString(ls[i].body)
		b.WriteByte(' ')
	}
	text := lower(b.String())
	if size < footer && containsAny(text, noticePhrases) {
		return true
	}
	return hasStems(text, 3)
}

// stemKey is how many bytes of a stem it is looked up by.
const stemKey = 3

// hasStems says whether at least n different stems are in text, each at the beginning of a word.
func hasStems(text string, n int) bool {
	table := words().notices
	var seen []string
	within := false // a word
	for i := 0; i+stemKey <= len(text); i++ {
		c := text[i]
		start := !within || c >= 0xe0 // scripts that write no spaces
		within = c >= utf8.RuneSelf || isLetter(c)
		if !start || !within {
			continue
		}
		for _, s := range table[text[i:i+stemKey]] {
			if strings.HasPrefix(text[i:], s) && !slices.Contains(seen, s) {
				if seen = append(seen, s); len(seen) == n {
					return true
				}
			}
		}
	}
	return false
}
