package report

import "slices"

// The words that mail systems write, in lower case.

// daemonNames are in the From field of mail systems.
var daemonNames = []string{
	"mailer-daemon", "mailer_daemon", "mailerdaemon", "mail-daemon", "maildaemon", "postmaster", "post_master", "post-master",
	"mail delivery", "mail.delivery.system", "mail deliver system", "delivery subsystem", "system administrator", "microsoftexchange",
	"mdaemon@", "mail system", "mailsystem", "mail administrator",
}

// bounceSubjects are how subjects of reports begin.
var bounceSubjects = newPrefixes(
	"undeliver", "mail delivery", "delivery status", "delivery fail", "delivery has failed", "delivery notification", "delivery report",
	"delivery problem", "delivery error", "delivery delay", "delivery incomplete", "delivery unsuccessful", "delivery to", "returned mail",
	"returned email", "returned e-mail", "return mail", "returned to sender", "return to sender", "returned message", "failure notice",
	"failure delivery", "failed delivery", "failed to deliver", "failed mail", "mail failure", "mail failed", "mail error", "mail system error",
	"mail could not", "mail not delivered", "mail undeliverable", "mail rejected", "mail delayed", "mail status", "message delivery",
	"message undeliverable", "message not delivered", "message you sent", "message could not", "message delayed", "message rejected",
	"message status", "email delivery", "e-mail delivery", "email undeliverable", "email returned", "e-mail returned", "non-deliver",
	"nondeliver", "non deliver", "not delivered", "could not send", "could not deliver", "couldn't deliver", "unable to deliver",
	"cannot deliver", "can't deliver", "warning: could not send", "warning: message", "warning: mail", "warning - delayed", "delayed mail",
	"delayed delivery", "deferred mail", "there was an error sending your mail", "postmaster notify", "user unknown", "unknown user",
	"address not found", "automatically rejected mail", "successful mail delivery", "problem delivering", "error sending", "blocked mail",
	"loop alert", "ignored not member", "reject mail", "spam mail from a spammer is rejected", "fml system error", "mail status report", "considered unsolicited",
	"unzustellbar", "nicht zugestellt", "nicht zustellbar", "zustellung", "nachricht nicht", "nachricht konnte nicht", "e-mail nicht",
	"übermittlung", "non recapitabile", "mancato recapito", "mancata consegna", "messaggio non", "non remis", "non distribu",
	"échec de", "echec de", "message non", "avis de non", "notification d'état de remise", "no se puede entregar", "no se pudo entregar",
	"no entregado", "no se ha podido entregar", "error en la entrega", "error de entrega", "correo devuelto", "mensaje no entregado",
	"notificación de estado de entrega", "não entregue", "não é possível entregar", "não foi possível entregar", "falha na entrega",
	"onbestelbaar", "niet bezorgd", "niet afgeleverd", "kan niet worden bezorgd", "olevererbart", "går inte att leverera",
	"kan ikke leveres", "ikke levert", "kunne ikke leveres", "ei voitu toimittaa", "toimittamaton", "nie można dostarczyć", "niedostarcz",
	"nedoruč", "nelze doručit", "kézbesít", "nelivrabil", "teslim edilemedi", "не доставлено", "недоставлен", "ваше сообщение не доставлено",
	"ваше письмо не доставлено", "невозможно доставить", "сообщение не доставлено", "письмо не доставлено", "送信できません", "配信不能",
	"配信エラー", "配信失敗", "配送失敗", "メールエラー", "送信エラー", "送信失敗", "エラー通知", "返送", "退信", "系统退信", "邮件退回", "投递失败",
	"无法投递", "無法傳遞", "无法送达", "無法送達", "傳遞失敗", "未传递", "배달되지", "배달 실패", "전송 실패", "반송",
)

// daemonSubjects are somewhere in the subjects of mail systems.
var daemonSubjects = []string{
	"could not be delivered", "couldn't be delivered", "not be delivered", "not delivered", "undeliver", "delivery fail", "delivery problem",
	"delivery status", "mail error", "returned mail", "failure notice", "user unknown", "unknown user", "no such user",
	"配信できません", "送信できません", "不達", "エラー", "не доставлен",
}

// bounceWords are in the texts of reports.
var bounceWords = []string{
	"not be delivered", "n't be delivered", "not delivered", "n't delivered", "not been delivered", "not yet been delivered", "undeliverable",
	"undelivered", "unable to deliver", "able to deliver", "delivery failed", "delivery has failed", "failed to deliver", "delivery failure",
	"failed permanently", "not deliver", "n't deliver", "error delivering", "trouble delivering", "problem delivering", "error occurred while",
	"error has occurred", "delivery problems", "delivery errors", "permanent fatal errors", "did not reach", "delivery attempts",
	"returned to sender", "being returned", "transcript of session", "failed addresses", "following recipients", "been delayed", "was rejected",
	"been rejected", "was blocked", "could not be sent", "failure reasons", "invalid user address", "unknown recipient", "error sending",
	"duplicated message-id", "delivery incomplete", "non-deliverable", "not accepted", "delivery to the following", "non recapit",
	"non è stato", "nicht zugestellt", "nicht zustell", "konnte nicht", "unzustellbar", "pas pu être", "n'a pu", "no se pudo", "no se ha podido",
	"no se puede", "não pôde", "não foi", "не может быть доставлено", "не доставлен", "не удалось", "невозможно", "送信できません",
	"配信できません", "送信に失敗", "送信されません", "届ける", "届きません", "投递失败", "无法", "退信", "無法", "배달", "niet worden", "kunde inte",
	"kunne ikke", "nie można", "nelze", "nie udało",
}

// rejectedWords are in the texts of receipts that are refusals.
var rejectedWords = []string{"automatically rejected", "was rejected", "has been rejected"}

// delaySubjects are in the subjects of reports about delays.
var delaySubjects = []string{
	"delay", "warning: could not send message", "still being", "verzögert", "retardé", "retrasad", "in ritardo", "atrasad", "vertraagd",
	"opóźni", "задерж", "遅延",
}

// delayWords are in their texts.
var delayWords = []string{
	"has been delayed", "is delayed", "have been delayed", "delivery is delayed", "not yet been delivered", "will be retried", "will keep trying",
	"will retry", "will continue to", "delivery incomplete", "warning message only", "delivery attempts will continue", "temporary problem delivering",
	"no action is required on your part", "still undelivered after", "wird verzögert", "verzögert sich", "weiterhin versuch", "retrasado",
	"a été retardée", "in ritardo", "задерживается", "配信が遅延",
}

// autoPhrases are how subjects of automatic answers begin, or what stands in them before a colon.
var autoPhrases = []string{
	"automatic reply", "auto reply", "auto-reply", "autoreply", "automatic response", "auto response", "auto-response", "autoresponse",
	"autoresponder", "out of office", "out of the office", "out-of-office", "abwesenheitsnotiz", "automatische antwort", "abwesenheit",
	"réponse automatique", "reponse automatique", "absence du bureau", "respuesta automática", "respuesta automatica",
	"fuera de la oficina", "risposta automatica", "fuori sede", "resposta automática", "resposta automatica", "ausência temporária",
	"automatisch antwoord", "automatisch bericht", "afwezig", "automatiskt svar", "autosvar", "automatisk svar",
	"automaattinen vastaus", "odpowiedź automatyczna", "automatyczna odpowiedź", "automatická odpověď", "automatikus válasz", "otomatik yanıt", "автоответ",
	"автоматический ответ", "automatiska atbilde", "automātiskā atbilde", "automatinis atsakymas", "automaatvastus", "automaatne vastus",
	"автоматична відповідь", "автовідповідь", "автоматичен отговор", "аутоматски одговор", "automatski odgovor", "samodejni odgovor",
	"automatická odpoveď", "răspuns automat", "raspuns automat", "resposta automàtica", "sjálfvirkt svar", "αυτόματη απάντηση",
	"رد تلقائي", "پاسخ خودکار", "תשובה אוטומטית", "מענה אוטומטי", "balasan otomatis", "balasan automatik", "trả lời tự động", "ตอบกลับอัตโนมัติ",
}

// autoSubjects are these, and more ways in which they begin.
var autoSubjects = newPrefixes(append(slices.Clone(autoPhrases),
	"自动回复", "自动答复", "自動回覆", "自動答覆", "自動応答", "自動返信", "不在", "자동 회신", "자동 응답", "자동응답",
	"부재중", "away from my", "away until", "i am away", "i'm away", "on vacation",
	"vacation reply", "vacation:", "on leave", "on holiday", "holiday:", "auto:", "[auto-reply]", "[auto reply]", "currently out of",
	"not in the office", "atvalin",
)...)

// awayWords are in the texts of those who are away.
var awayWords = []string{
	"out of office", "out of the office", "on vacation", "on holiday", "on annual leave", "on leave", "maternity leave", "parental leave",
	"currently away", "i am away", "i'm away", "will be away", "limited access to", "i will be out", "i'll be out", "nicht im büro",
	"nicht im haus", "außer haus", "im urlaub", "abwesend", "en congé", "en vacances", "absent du bureau", "je suis absent",
	"je serai absent", "suis actuellement absent", "estoy de baja", "estaré ausente", "estoy ausente", "estarei ausente", "estou ausente",
	"sono assente", "sarò assente", "na urlopie", "poza biurem", "na dovolen", "mimo kancelář", "szabadságon", "în concediu", "izinde",
	"у відпустці", "på ferie", "lomalla", "σε άδεια", "في إجازة", "בחופשה", "afwezig", "niet aanwezig",
	"de vacaciones", "fuera de la oficina", "in ferie", "fuori ufficio", "de férias",
	"met vakantie", "op vakantie", "på semester", "на отпуск", "в отпуске", "休暇", "不在にして", "外出しており", "休假", "휴가",
}

// headLines begin the header of an original message that stands in a text without further announcement.
var headLines = newPrefixes(
	"received:", "return-path:", "dkim-signature:", "x-received:", "arc-seal:", "x-google-smtp-source:", "delivered-to:",
	"x-google-dkim-signature:",
)

// separatorWords are in the lines that announce the original message.
var separatorWords = []string{
	"original message", "copy of the message", "copy of your message", "unsent message", "message header", "original header",
	"header of the", "headers of the", "message text", "returned message", "undelivered message", "below this line", "original mail",
	"message body", "message contents", "rejected message", "ursprüngliche nachricht", "original-nachricht", "nachrichtenkopf",
	"kopfzeilen", "intestazioni", "messaggio originale", "message d'origine", "message original", "en-têtes", "encabezados",
	"mensaje original", "cabeçalhos", "mensagem original", "oorspronkelijk", "исходно", "заголовки", "元のメッセージ", "原始邮件", "原始郵件",
	"メッセージ ヘッダー",
}

// otherLines begin lines whose addresses are not recipients.
var otherLines = newPrefixes(
	"final-recipient", "original-recipient", "x-actual-recipient", "from:", "mail from", "sender", "reply-to:", "subject:", "(expanded from", "message-id:", "received", "reporting-mta:", "x-",
	"remote-mta:", "original-envelope-id:", "cc:", "date:", "return-path:", "please", "if you", "for further", "for assistance",
	"contact", "(envelope-from", "(mail from", "envelope-from", "http", "<<<", ">>> mail", "generated by", "message identifier",
)
