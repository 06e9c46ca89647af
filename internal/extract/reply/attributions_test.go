package reply

// attributions are the lines that clients put above the history, in the language of the writer.
var attributions = []struct{ name, wrote, line string }{
	{"english gmail", "Sounds good to me.", "On Mon, Feb 1, 2016 at 6:32 PM, Ann Lee <ann@example.com> wrote:"},
	{"english gmail wrapped", "Sounds good.", "On Mon, Feb 1, 2016 at 6:32 PM Ann Lee with a long name " +
		"<\nann.with.a.long.address@example.com> wrote:"},
	{"english gmail wrapped late", "Sounds good.", "On Mon, Feb 1, 2016 at 6:32 PM, Ann Lee " +
		"<ann.lee@example.com>\nwrote:"},
	{"english gmail glued", "Sounds good.", "On Tue, Sep 25, 2012 at 8:59 AM, Ann Lee\n<ann.lee@example.com>wrote:"},
	{"english apple", "Fine.", "On 1 Feb 2016, at 18:32, Ann Lee <ann@example.com> wrote:"},
	{"english thunderbird", "Fine.", "On 2/1/2016 6:32 PM, Ann Lee wrote:"},
	{"english thunderbird iso", "Fine.", "On 2016-02-01 18:32, Ann Lee wrote:"},
	{"english evolution", "Fine.", "On Mon, 2016-02-01 at 18:32 +0100, Ann Lee wrote:"},
	{"english yahoo", "Fine.", "On Monday, February 1, 2016 6:32 PM, Ann Lee <ann@example.com> wrote:"},
	{"english proton", "Fine.", "On Monday, February 1st, 2016 at 6:32 PM, Ann Lee <ann@example.com> wrote:"},
	{"english airmail", "Fine.", "On 1 February 2016 at 18:32:10, Ann Lee (ann@example.com) wrote:"},
	{"english spark", "Fine.", "On 1 Feb 2016, 18:32 +0100, Ann Lee <ann@example.com>, wrote:"},
	{"english zoho", "Fine.", "---- On Mon, 01 Feb 2016 18:32:10 +0530 Ann Lee <ann@example.com> wrote ----"},
	{"english zoho with fewer dashes", "Fine.", "---- On Mon, 01 Feb 2016 18:32:10 +0530 Ann Lee <ann@example.com> " +
		"wrote ---"},
	{"english zimbra", "Fine.", "----- On Feb 1, 2016, at 6:32 PM, Ann Lee <ann@example.com> wrote:"},
	{"english tutanota", "Fine.", "Feb 1, 2016, 18:32 by ann@example.com:"},
	{"english groups", "Fine.", "On Feb 1, 6:32 pm, Ann Lee <ann@example.com> wrote:"},
	{"english the bat", "Fine.", "Monday, February 1, 2016, 6:32:10 PM, you wrote:"},
	{"english eudora", "Fine.", "At 06:32 PM 2/1/2016 -0500, Ann Lee wrote:"},
	{"english notes", "Fine.", "Ann Lee <ann@example.com> wrote on 02/01/2016 06:32:10 PM:"},
	{"haitian creole", "Wi, sa bon.", "Ann Lee <ann@example.com> te ekri 01/02/2016 18:32:"},
	{"german gmail", "Passt mir gut.", "Am Mo., 1. Feb. 2016 um 18:32 Uhr schrieb Ann Lee <ann@example.com>:"},
	{"german gmail wrapped", "Passt.", "Am Mo., 1. Feb. 2016 um 18:32 Uhr schrieb Ann Lee <\nann@example.com>:"},
	{"german gmail old", "Passt.", "Ann Lee <ann@example.com> schrieb am Mo., 1. Feb. 2016 um 18:32 Uhr:"},
	{"german apple", "Passt.", "Am 01.02.2016 um 18:32 schrieb Ann Lee <ann@example.com>:"},
	{"german thunderbird", "Passt.", "Am 01.02.16 um 18:32 schrieb Ann Lee:"},
	{"french gmail", "C'est noté, merci.", "Le lun. 1 févr. 2016 à 18:32, Ann Lee <ann@example.com> a écrit :"},
	{"french thunderbird", "C'est noté.", "Le 01/02/2016 à 18:32, Ann Lee a écrit :"},
	{"french apple", "C'est noté.", "Le 1 févr. 2016 à 18:32, Ann Lee <ann@example.com> a écrit\u00a0:"},
	{"spanish gmail", "De acuerdo.", "El lun., 1 feb. 2016 a las 18:32, Ann Lee (<ann@example.com>) escribió:"},
	{"spanish thunderbird", "De acuerdo.", "El 01/02/2016 a las 18:32, Ann Lee escribió:"},
	{"spanish apple", "De acuerdo.", "El 1 feb 2016, a las 18:32, Ann Lee <ann@example.com> escribió:"},
	{"portuguese gmail", "Tudo bem.", "Em seg., 1 de fev. de 2016 às 18:32, Ann Lee <ann@example.com> escreveu:"},
	{"portuguese thunderbird", "Tudo bem.", "Em 01/02/2016 18:32, Ann Lee escreveu:"},
	{"portuguese apple", "Tudo bem.", "No dia 1 de fev de 2016, às 18:32, Ann Lee <ann@example.com> escreveu:"},
	{"italian gmail", "Va bene.", "Il giorno lun 1 feb 2016 alle ore 18:32 Ann Lee <ann@example.com> ha scritto:"},
	{"italian thunderbird", "Va bene.", "Il 01/02/2016 18:32, Ann Lee ha scritto:"},
	{"dutch gmail", "Prima zo.", "Op ma 1 feb. 2016 om 18:32 schreef Ann Lee <ann@example.com>:"},
	{"dutch outlook", "Prima zo.", "Op 1 feb. 2016 18:32 heeft Ann Lee <ann@example.com> geschreven:"},
	{"swedish gmail", "Det går bra.", "Den mån 1 feb. 2016 kl 18:32 skrev Ann Lee <ann@example.com>:"},
	{"swedish apple", "Det går bra.", "1 feb. 2016 kl. 18:32 skrev Ann Lee <ann@example.com>:"},
	{"swedish outlook", "Det går bra.", "Den 2016-02-01 18:32 skrev \"Ann Lee\" <ann@example.com> följande:"},
	{"danish gmail", "Det er fint.", "Den man. 1. feb. 2016 kl. 18.32 skrev Ann Lee <ann@example.com>:"},
	{"norwegian gmail", "Det går fint.", "man. 1. feb. 2016 kl. 18:32 skrev Ann Lee <ann@example.com>:"},
	{"norwegian outlook", "Det går fint.", "Ann Lee <ann@example.com> skrev følgende den 01.02.2016 18:32:"},
	{"finnish gmail", "Sopii hyvin.", "ma 1. helmik. 2016 klo 18.32 Ann Lee (ann@example.com) kirjoitti:"},
	{"finnish thunderbird", "Sopii.", "Ann Lee kirjoitti 1.2.2016 klo 18.32:"},
	{"icelandic", "Já, takk.", "Þann mán., 1. feb. 2016 kl. 18:32 skrifaði Ann Lee <ann@example.com>:"},
	{"polish gmail", "Dobrze, dziękuję.", "pon., 1 lut 2016 o 18:32 Ann Lee <ann@example.com> napisał(a):"},
	{"polish thunderbird", "Dobrze.", "W dniu 01.02.2016 o 18:32, Ann Lee pisze:"},
	{"polish older", "Dobrze.", "Dnia 1 lutego 2016 18:32 Ann Lee <ann@example.com> napisał(a):"},
	{"czech gmail", "Dobře.", "po 1. 2. 2016 v 18:32 odesílatel Ann Lee <ann@example.com> napsal:"},
	{"czech thunderbird", "Dobře.", "Dne 01. 02. 16 v 18:32 Ann Lee napsal(a):"},
	{"slovak gmail", "Dobre.", "po 1. 2. 2016 o 18:32 Ann Lee <ann@example.com> napísal(a):"},
	{"hungarian gmail", "Rendben.", "Ann Lee <ann@example.com> ezt írta (időpont: 2016. febr. 1., H, 18:32):"},
	{"hungarian thunderbird", "Rendben.", "2016. 02. 01. 18:32 keltezéssel, Ann Lee írta:"},
	{"romanian gmail", "Bine.", "În lun., 1 feb. 2016 la 18:32, Ann Lee <ann@example.com> a scris:"},
	{"croatian gmail", "U redu.", "pon, 1. velj 2016. u 18:32 Ann Lee <ann@example.com> napisao je:"},
	{"slovenian gmail", "V redu.", "V V pon., 1. feb. 2016 ob 18:32 je oseba Ann Lee <ann@example.com> napisala:"},
	{"serbian", "U redu.", "Dana 1.2.2016. u 18:32, Ann Lee je napisao/la:"},
	{"bulgarian gmail", "Добре.", "На пн, 1.02.2016 г. в 18:32 Ann Lee <ann@example.com> написа:"},
	{"russian gmail", "Хорошо, спасибо.", "пн, 1 февр. 2016 г. в 18:32, Ann Lee <ann@example.com>:"},
	{"russian thunderbird", "Хорошо.", "01.02.2016 18:32, Ann Lee пишет:"},
	{"russian apple", "Хорошо.", "1 февр. 2016 г., в 18:32, Ann Lee <ann@example.com> написал(а):"},
	{"russian mail.ru", "Хорошо.", "Понедельник, 1 февраля 2016, 18:32 +03:00 от Ann Lee <ann@example.com>:"},
	{"russian yandex", "Хорошо.", "01.02.2016, 18:32, \"Ann Lee\" <ann@example.com>:"},
	{"ukrainian gmail", "Добре.", "пн, 1 лют. 2016 р. о 18:32 Ann Lee <ann@example.com> пише:"},
	{"greek gmail", "Εντάξει.", "Στις Δευ, 1 Φεβ 2016 στις 6:32 μ.μ., ο χρήστης Ann Lee <ann@example.com> έγραψε:"},
	{"turkish gmail", "Tamam.", "Ann Lee <ann@example.com>, 1 Şub 2016 Pzt, 18:32 tarihinde şunu yazdı:"},
	{"lithuanian gmail", "Gerai.", "2016-02-01, pr, 18:32 Ann Lee <ann@example.com> rašė:"},
	{"latvian gmail", "Labi.", "pirmd., 2016. g. 1. febr., plkst. 18:32 — lietotājs Ann Lee (<ann@example.com>) " +
		"rakstīja:"},
	{"estonian gmail", "Hästi.", "Kuupäev E, 1. veebruar 2016 kell 18:32 kirjutas Ann Lee <ann@example.com>:"},
	{"catalan gmail", "D'acord.", "Missatge de Ann Lee <ann@example.com> del dia dl., 1 de febr. 2016 a les 18:32:"},
	{"catalan thunderbird", "D'acord.", "El 1/2/2016 a les 18:32, Ann Lee ha escrit:"},
	{"galician", "De acordo.", "O luns, 1 de feb. de 2016 ás 18:32, Ann Lee (<ann@example.com>) escribiu:"},
	{"hebrew gmail", "בסדר גמור.", "\u200fבתאריך יום ב׳, 1 בפבר׳ 2016 ב-18:32 מאת \u202aAnn Lee\u202c\u200f " +
		"<\u202aann@example.com\u202c\u200f>:\u202c"},
	{"hebrew apple", "בסדר.", "ב-1 בפבר׳ 2016, בשעה 18:32, Ann Lee <ann@example.com> כתב/ה:"},
	{"arabic gmail", "حسنا.", "في الاثنين، 1 فبراير 2016 في 6:32 م تمت كتابة ما يلي بواسطة Ann Lee <ann@example.com>:"},
	{"arabic digits", "حسنا.", "في ١ فبراير ٢٠١٦، الساعة ٦:٣٢ م، كتب Ann Lee <ann@example.com>:"},
	{"persian gmail", "باشه.", "در تاریخ دوشنبه ۱ فوریهٔ ۲۰۱۶،\u200f ۱۸:۳۲ Ann Lee <ann@example.com> نوشت:"},
	{"hindi gmail", "ठीक है।", "सोम, 1 फ़र॰ 2016 को 6:32 pm बजे को Ann Lee <ann@example.com> ने लिखा:"},
	{"thai gmail", "ได้ครับ", "ในวันที่ จ. 1 ก.พ. 2016 เวลา 18:32 Ann Lee <ann@example.com> เขียนว่า:"},
	{"vietnamese gmail", "Được rồi.", "Vào Th 2, 1 thg 2, 2016 vào lúc 18:32 Ann Lee <ann@example.com> đã viết:"},
	{"indonesian gmail", "Baik.", "Pada Sen, 1 Feb 2016 pukul 18.32 Ann Lee <ann@example.com> menulis:"},
	{"malay gmail", "Baik.", "Pada Isn, 1 Feb 2016 pada 6:32 PTG Ann Lee <ann@example.com> menulis:"},
	{"japanese gmail", "承知しました。", "2016年2月1日(月) 18:32 Ann Lee <ann@example.com>:"},
	{"japanese apple", "承知しました。", "2016/02/01 18:32、Ann Lee <ann@example.com>のメール:"},
	{"japanese thunderbird", "承知しました。", "On 2016/02/01 18:32, Ann Lee wrote:"},
	{"korean gmail", "알겠습니다.", "2016년 2월 1일 (월) 오후 6:32, Ann Lee <ann@example.com>님이 작성:"},
	{"korean apple", "알겠습니다.", "2016. 2. 1. 오후 6:32, Ann Lee <ann@example.com> 작성:"},
	{"polish apple", "Dobrze.", "Wiadomość napisana przez Ann Lee <ann@example.com> w dniu 1 lut 2016, o godz. 18:32:"},
	{"hungarian apple", "Rendben.", "2016. febr. 1. dátummal, 18:32 időpontban Ann Lee <ann@example.com> írta:"},
	{"romanian apple", "Bine.", "Pe 1 feb. 2016, la 18:32, Ann Lee <ann@example.com> a scris:"},
	{"turkish apple", "Tamam.", "Ann Lee <ann@example.com> şunları yazdı (1 Şub 2016 18:32):"},
	{"turkish thunderbird", "Tamam.", "01.02.2016 18:32 tarihinde Ann Lee yazdı:"},
	{"slovenian thunderbird", "Velja.", "Dne 1. 2. 2016 ob 18:32 je Ann Lee napisal(a):"},
	{"slovak thunderbird", "Dobre.", "Dňa 1. 2. 2016 o 18:32 Ann Lee napísal(a):"},
	{"estonian thunderbird", "Hästi.", "Ann Lee kirjutas 1.2.2016 18:32:"},
	{"basque thunderbird", "Ados.", "2016-02-01 18:32(e)an, Ann Lee igorleak idatzi zuen:"},
	{"serbian thunderbird", "У реду.", "Дана 1.2.2016. у 18:32, Ann Lee пише:"},
	{"korean thunderbird", "알겠습니다.", "2016-02-01 오후 6:32에 Ann Lee 이(가) 쓴 글:"},
	{"afrikaans thunderbird", "Goed.", "Op 2016/02/01 18:32 het Ann Lee geskryf:"},
	{"swahili gmail", "Sawa.", "Mnamo Jum, 1 Feb 2016 saa 18:32 Ann Lee <ann@example.com> aliandika:"},
	{"filipino gmail", "Sige.", "Noong Lun, Peb 1, 2016 nang 6:32 PM, si Ann Lee <ann@example.com> ay sumulat:"},
	{"bengali gmail", "ঠিক আছে।", "সোম, ১ ফেব, ২০১৬ তারিখে ৬:৩২ PM টায় তে Ann Lee <ann@example.com> লিখেছেন:"},
	{"thai apple", "ได้", "เมื่อวันที่ 1 ก.พ. 2559 เวลา 18:32 Ann Lee <ann@example.com> เขียนว่า:"},
	{"language without a word", "Zzz.", "Qqq, 1 Xyz 2016 vvv 18:32 Ann Lee <ann@example.com> zzzzz:"},
	{"chinese gmail", "好的，谢谢。", "Ann Lee <ann@example.com> 于2016年2月1日周一 下午6:32写道："},
	{"chinese apple", "好的。", "在 2016年2月1日，18:32，Ann Lee <ann@example.com> 写道："},
	{"chinese netease", "好的。", "在 2016-02-01 18:32:10，\"Ann Lee\" <ann@example.com> 写道："},
	{"chinese traditional gmail", "好的，謝謝。", "Ann Lee <ann@example.com> 於 2016年2月1日 週一 下午6:32寫道："},
	{"chinese traditional apple", "好的。", "Ann Lee <ann@example.com> 於 2016年2月1日 下午6:32 寫道："},
}

// headerBlocks are the heads of older messages that Outlook and its like leave above the history.
var headerBlocks = []struct{ name, wrote, block string }{
	{"english outlook", "Works for me.", "From: Ann Lee <ann@example.com>\nSent: Monday, February 1, 2016 6:32 " +
		"PM\nTo: Bob Roe\nSubject: Plans"},
	{"english outlook ruler", "Works for me.", "________________________________\nFrom: Ann Lee " +
		"<ann@example.com>\nSent: Monday, February 1, 2016 6:32 PM\nTo: Bob Roe; Cid Poe\nCc: Dan Moe\nSubject: Plans"},
	{"english original message", "Works for me.", "-----Original Message-----\nFrom: Ann Lee " +
		"[mailto:ann@example.com]\nSent: Monday, February 01, 2016 6:32 PM\nTo: Bob Roe\nSubject: RE: Plans"},
	{"english stars", "Works for me.", "*From:* Ann Lee [mailto:ann@example.com]\n*Sent:* Monday, February 01, 2016 " +
		"6:32 PM\n*To:* Bob Roe\n*Subject:* RE: Plans"},
	{"english mac", "Works for me.", "From: Ann Lee <ann@example.com>\nDate: Monday, 1 February 2016 at 18:32\nTo: " +
		"Bob Roe <bob@example.com>\nSubject: Plans"},
	{"english wrapped", "Works for me.", "From: Ann Lee <ann@example.com>\nSent: Monday, February 1, 2016 6:32 " +
		"PM\nTo: Bob Roe <bob@example.com>; Cid Poe <cid@example.com>; Dan\n Moe <dan@example.com>; Eve " +
		"Coe\nSubject: A subject that is so long that the client has to\nwrap it"},
	{"english android", "Works for me.", "-------- Original message --------\nFrom: Ann Lee <ann@example.com>\nDate: " +
		"2/1/16 6:32 PM (GMT+01:00)\nTo: Bob Roe <bob@example.com>\nSubject: Plans"},
	{"english blackberry", "Works for me.", "  Original Message\nFrom: Ann Lee\nSent: Monday, February 1, 2016 " +
		"18:32\nTo: Bob Roe\nSubject: Plans"},
	{"english notes", "Works for me.", "From:        Ann Lee <ann@example.com>\nTo:        Bob Roe " +
		"<bob@example.com>\nDate:        02/01/2016 06:32 PM\nSubject:        Plans"},
	{"english empty lines", "Works for me.", "From: Ann Lee <ann@example.com>\n\nSent: Monday, February 1, 2016 6:32 " +
		"PM\n\nTo: Bob Roe\n\nSubject: Plans"},
	{"english emclient", "Works for me.", "------ Original Message ------\nFrom \"Ann Lee\" <ann@example.com>\nTo " +
		"\"Bob Roe\" <bob@example.com>\nDate 2/1/2016 6:32:10 PM\nSubject Plans"},
	{"german", "Passt mir.", "Von: Ann Lee <ann@example.com>\nGesendet: Montag, 1. Februar 2016 18:32\nAn: Bob " +
		"Roe\nBetreff: Pläne"},
	{"german original", "Passt mir.", "-----Ursprüngliche Nachricht-----\nVon: Ann Lee " +
		"[mailto:ann@example.com]\nGesendet: Montag, 1. Februar 2016 18:32\nAn: Bob Roe\nBetreff: AW: Pläne"},
	{"german webmail", "Passt mir.", "Gesendet: Montag, 01. Februar 2016 um 18:32 Uhr\nVon: \"Ann Lee\" " +
		"<ann@example.com>\nAn: \"Bob Roe\" <bob@example.com>\nBetreff: Pläne"},
	{"french", "Ça me va.", "De : Ann Lee <ann@example.com>\nEnvoyé : lundi 1 février 2016 18:32\nÀ : Bob Roe\nObjet " +
		": Projets"},
	{"french original", "Ça me va.", "-----Message d'origine-----\nDe : Ann Lee [mailto:ann@example.com]\nEnvoyé : " +
		"lundi 1 février 2016 18:32\nÀ : Bob Roe\nObjet : RE: Projets"},
	{"french zimbra", "Ça me va.", "----- Mail original -----\nDe: \"Ann Lee\" <ann@example.com>\nÀ: \"Bob Roe\" " +
		"<bob@example.com>\nEnvoyé: Lundi 1 Février 2016 18:32:10\nObjet: Projets"},
	{"spanish", "Me parece bien.", "De: Ann Lee <ann@example.com>\nEnviado: lunes, 1 de febrero de 2016 18:32\nPara: " +
		"Bob Roe\nAsunto: Planes"},
	{"spanish original", "Me parece bien.", "-----Mensaje original-----\nDe: Ann Lee " +
		"[mailto:ann@example.com]\nEnviado el: lunes, 1 de febrero de 2016 18:32\nPara: Bob Roe\nAsunto: RE: Planes"},
	{"portuguese", "Por mim tudo bem.", "De: Ann Lee <ann@example.com>\nEnviado: segunda-feira, 1 de fevereiro de " +
		"2016 18:32\nPara: Bob Roe\nAssunto: Planos"},
	{"portuguese original", "Por mim tudo bem.", "-----Mensagem original-----\nDe: Ann Lee " +
		"[mailto:ann@example.com]\nEnviada em: segunda-feira, 1 de fevereiro de 2016 18:32\nPara: Bob Roe\nAssunto: " +
		"RES: Planos"},
	{"italian", "Per me va bene.", "Da: Ann Lee <ann@example.com>\nInviato: lunedì 1 febbraio 2016 18:32\nA: Bob " +
		"Roe\nOggetto: Piani"},
	{"italian original", "Per me va bene.", "-----Messaggio originale-----\nDa: Ann Lee " +
		"[mailto:ann@example.com]\nInviato: lunedì 1 febbraio 2016 18:32\nA: Bob Roe\nOggetto: R: Piani"},
	{"dutch", "Prima.", "Van: Ann Lee <ann@example.com>\nVerzonden: maandag 1 februari 2016 18:32\nAan: Bob " +
		"Roe\nOnderwerp: Plannen"},
	{"dutch original", "Prima.", "-----Oorspronkelijk bericht-----\nVan: Ann Lee\nVerzonden: maandag 1 februari 2016 " +
		"18:32\nAan: Bob Roe\nOnderwerp: RE: Plannen"},
	{"swedish", "Det passar.", "Från: Ann Lee <ann@example.com>\nSkickat: den 1 februari 2016 18:32\nTill: Bob " +
		"Roe\nÄmne: Planer"},
	{"danish", "Det passer.", "Fra: Ann Lee <ann@example.com>\nSendt: 1. februar 2016 18:32\nTil: Bob Roe\nEmne: Planer"},
	{"norwegian", "Det passer.", "Fra: Ann Lee <ann@example.com>\nDato: mandag 1. februar 2016 kl. 18:32\nTil: Bob " +
		"Roe\nEmne: Planer"},
	{"finnish", "Käy.", "Lähettäjä: Ann Lee <ann@example.com>\nLähetetty: maanantai 1. helmikuuta 2016 " +
		"18.32\nVastaanottaja: Bob Roe\nAihe: Suunnitelmat"},
	{"polish", "Pasuje.", "Od: Ann Lee <ann@example.com>\nWysłano: poniedziałek, 1 lutego 2016 18:32\nDo: Bob " +
		"Roe\nTemat: Plany"},
	{"czech", "Hodí se.", "Od: Ann Lee <ann@example.com>\nOdesláno: pondělí 1. února 2016 18:32\nKomu: Bob " +
		"Roe\nPředmět: Plány"},
	{"slovak", "Hodí sa.", "Od: Ann Lee <ann@example.com>\nOdoslané: pondelok 1. februára 2016 18:32\nKomu: Bob " +
		"Roe\nPredmet: Plány"},
	{"hungarian", "Jó lesz.", "Feladó: Ann Lee <ann@example.com>\nElküldve: 2016. február 1., hétfő 18:32\nCímzett: " +
		"Bob Roe\nTárgy: Tervek"},
	{"romanian", "E bine.", "De la: Ann Lee <ann@example.com>\nTrimis: luni, 1 februarie 2016 18:32\nCătre: Bob " +
		"Roe\nSubiect: Planuri"},
	{"croatian", "Može.", "Šalje: Ann Lee <ann@example.com>\nPoslano: ponedjeljak, 1. veljače 2016. 18:32\nPrima: " +
		"Bob Roe\nPredmet: Planovi"},
	{"slovenian", "Velja.", "Od: Ann Lee <ann@example.com>\nPoslano: ponedeljek, 01. februar 2016 18:32\nZa: Bob " +
		"Roe\nZadeva: Načrti"},
	{"bulgarian", "Става.", "От: Ann Lee <ann@example.com>\nИзпратено: понеделник, 1 февруари 2016 18:32\nДо: Bob " +
		"Roe\nТема: Планове"},
	{"russian", "Подходит.", "От: Ann Lee <ann@example.com>\nОтправлено: понедельник, 1 февраля 2016 г. 18:32\nКому: " +
		"Bob Roe\nТема: Планы"},
	{"ukrainian", "Підходить.", "Від: Ann Lee <ann@example.com>\nНадіслано: понеділок, 1 лютого 2016 р. 18:32\nКому: " +
		"Bob Roe\nТема: Плани"},
	{"greek", "Ωραία.", "Από: Ann Lee <ann@example.com>\nΣτάλθηκε: Δευτέρα, 1 Φεβρουαρίου 2016 6:32 μμ\nΠρος: Bob " +
		"Roe\nΘέμα: Σχέδια"},
	{"turkish", "Uygun.", "Kimden: Ann Lee <ann@example.com>\nGönderildi: 1 Şubat 2016 Pazartesi 18:32\nKime: Bob " +
		"Roe\nKonu: Planlar"},
	{"estonian", "Sobib.", "Saatja: Ann Lee <ann@example.com>\nSaadetud: esmaspäev, 1. veebruar 2016 " +
		"18:32\nAdressaat: Bob Roe\nTeema: Plaanid"},
	{"lithuanian", "Tinka.", "Nuo: Ann Lee <ann@example.com>\nIšsiųsta: 2016 m. vasario 1 d. 18:32\nKam: Bob " +
		"Roe\nTema: Planai"},
	{"latvian", "Der.", "No: Ann Lee <ann@example.com>\nNosūtīts: pirmdiena, 2016. gada 1. februāris 18:32\nKam: Bob " +
		"Roe\nTēma: Plāni"},
	{"hebrew", "מתאים.", "מאת: Ann Lee <ann@example.com>\nנשלח: יום שני 01 פברואר 2016 18:32\nאל: Bob Roe\nנושא: " +
		"תוכניות"},
	{"arabic", "مناسب.", "من: Ann Lee <ann@example.com>\nتاريخ الإرسال: الاثنين، 1 فبراير 2016 6:32 م\nإلى: Bob " +
		"Roe\nالموضوع: خطط"},
	{"persian", "خوب است.", "از: Ann Lee <ann@example.com>\nتاریخ: دوشنبه ۱ فوریه ۲۰۱۶\nبه: Bob Roe\nموضوع: برنامه"},
	{"thai", "ได้", "จาก: Ann Lee <ann@example.com>\nส่ง: 1 กุมภาพันธ์ 2559 18:32\nถึง: Bob Roe\nเรื่อง: แผน"},
	{"vietnamese", "Được.", "Từ: Ann Lee <ann@example.com>\nĐã gửi: 01 Tháng Hai 2016 18:32\nĐến: Bob Roe\nChủ đề: " +
		"Kế hoạch"},
	{"indonesian", "Cocok.", "Dari: Ann Lee <ann@example.com>\nDikirim: Senin, 01 Februari 2016 18.32\nKepada: Bob " +
		"Roe\nPerihal: Rencana"},
	{"japanese", "大丈夫です。", "差出人: Ann Lee <ann@example.com>\n送信日時: 2016年2月1日 18:32\n宛先: Bob Roe\n件名: 計画"},
	{"korean", "좋습니다.", "보낸 사람: Ann Lee <ann@example.com>\n보낸 날짜: 2016년 2월 1일 월요일 오후 6:32\n받는 사람: Bob Roe\n제목: 계획"},
	{"chinese", "可以。", "发件人: Ann Lee <ann@example.com>\n发送时间: 2016年2月1日 18:32\n收件人: Bob Roe\n主题: 计划"},
	{"chinese wide", "可以。", "发件人：Ann Lee <ann@example.com>\n发送时间：2016年2月1日 18:32\n收件人：Bob Roe\n主题：计划"},
	{"chinese qq", "可以。", "------------------ 原始邮件 ------------------\n发件人: \"Ann Lee\" <ann@example.com>;\n发送时间: " +
		"2016年2月1日(星期一) 晚上6:32\n收件人: \"Bob Roe\"<bob@example.com>;\n主题: 计划"},
	{"chinese traditional", "可以。", "寄件者: Ann Lee <ann@example.com>\n寄件日期: 2016年2月1日 下午 06:32\n收件者: Bob Roe\n主旨: 計畫"},
}
