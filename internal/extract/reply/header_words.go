package reply

// field is a set of header fields.
type field uint8

const (
	fieldFrom field = 1 << iota
	fieldDate
	fieldTo
	fieldSubject
	fieldOther
)

// fieldNames are the names of header fields as clients translate them, in the order of the constants above. A name may
// be several fields: "a" is To in Italian.
var fieldNames = [...]string{namesFrom, namesDate, namesTo, namesSubject, namesOther}

const namesFrom = `from,sender,
von,absender,de,expéditeur,da,mittente,van,afzender,från,fra,frá,avsändare,lähettäjä,
od,nadawca,odesílatel,odosielateľ,feladó,küldő,de la,expeditor,expeditorul,šalje,pošiljatelj,
от,от кого,отправитель,від,від кого,відправник,од,ад,από,kimden,gönderen,
saatja,kellelt,no,nuo,siuntėjas,nork,remitente,remetente,
מאת,من,المرسل,از,فرستنده,प्रेषक,से,จาก,từ,người gửi,dari,daripada,pengirim,mula kay,mula sa,
差出人,送信者,送信元,보낸 사람,보낸사람,발신,발신자,发件人,寄件者,寄件人,發件人,kutoka kwa,nga,gan,oddiwrth`

const namesDate = `date,sent,sent on,sent at,received,
gesendet,gesendet am,datum,envoyé,envoyé le,envoyée,enviado,enviado el,enviado em,enviada em,enviada,fecha,data,data de envio,
inviato,inviato il,inviata,verzonden,verzonden op,verstuurd,skickat,skickades,sendt,dato,dags,dagsetning,lähetetty,päivämäärä,päiväys,pvm,
wysłano,wysłane,data wysłania,odesláno,odoslané,dátum,elküldve,küldve,trimis,trimisă,dată,poslano,poslato,poslato dana,
отправлено,дата,дата отправки,надіслано,відправлено,изпратено,изпратен,испратено,послато,датум,στάλθηκε,εστάλη,ημερομηνία,αποστολή,
gönderildi,gönderme tarihi,gönderilme tarihi,tarih,saadetud,kuupäev,nosūtīts,datums,išsiųsta,enviat,bidalia,bidaltze-data,
נשלח,תאריך,تاريخ الإرسال,تم الإرسال,أرسلت,التاريخ,تاریخ,ارسال شده,दिनांक,भेजा गया,तारीख,तिथि,ส่ง,ส่งเมื่อ,วันที่,
đã gửi,ngày,ngày gửi,thời gian,dikirim,tanggal,dihantar,tarikh,petsa,ipinadala,
送信日時,日時,日付,보낸 날짜,보낸날짜,날짜,일시,발신일,发送时间,发送日期,日期,时间,寄件日期,傳送時間,發送日期,發送時間,時間`

const namesTo = `to,recipient,
an,empfänger,à,a,pour,destinataire,destinataires,para,destinatario,destinatário,per,aan,naar,till,til,vastaanottaja,vastaanottajat,
do,adresat,komu,pre,címzett,către,la,destinatar,destinatarul,prima,za,primatelj,primalac,
кому,до,для,за,получатель,примач,προς,kime,alıcı,adressaat,saaja,kellele,kam,gavėjas,iki,per a,nori,
אל,إلى,الى,المستلم,به,گیرنده,प्रति,को,ถึง,đến,tới,người nhận,kepada,ke,untuk,para kay,
宛先,받는 사람,받는사람,수신,수신자,收件人,收件者,i,për`

const namesSubject = `subject,re,
betreff,objet,sujet,asunto,assunto,oggetto,onderwerp,ämne,emne,efni,aihe,
temat,předmět,predmet,tárgy,subiect,subiectul,naslov,zadeva,tema,
тема,относно,предмет,наслов,θέμα,konu,teema,temats,tēma,assumpte,gaia,
נושא,الموضوع,موضوع,विषय,เรื่อง,หัวข้อ,chủ đề,tiêu đề,perihal,subjek,judul,paksa,
件名,제목,主题,主旨,主題,标题,標題,mada,subjekti,ábhar`

const namesOther = `cc,bcc,reply-to,reply to,importance,attachments,attachment,priority,organization,organisation,mailed-by,signed-by,
kopie,kopie an,kopie (cc),blindkopie,blindkopie (bcc),bcc an,antwort an,wichtigkeit,anlagen,copie à,copie,cci,répondre à,importance,pièces jointes,responder a,responder para,prioridad,
importancia,importância,datos adjuntos,anexos,adjuntos,ccn,rispondi a,risposta,priorità,allegati,antwoord aan,urgentie,bijlagen,kopia,svar till,prioritet,bilagor,
kopi,svar til,vedhæftede filer,vedlegg,kopio,vastausosoite,liitteet,dw,udw,odpowiedz do,ważność,załączniki,kopie,skrytá kopie,důležitost,přílohy,kópia,dôležitosť,prílohy,
másolat,másolatot kap,fontosság,mellékletek,kp,kopija,копия,скрытая копия,важность,вложения,копія,копие,κοιν,κοινοποίηση,bilgi,önem,ekler,koopia,kopija,
עותק,העתק,نسخة,رونوشت,สำเนา,đồng gửi,tembusan,返信先,添付ファイル,참조,첨부파일,抄送,副本,附件,密送`
