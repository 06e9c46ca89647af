package reply

// sentFirst is how lines that devices and programs add begin.
const sentFirst = `sent from,sent via,sent with,sent using,sent by,sent on,sent through,sent out from,posted from,written on my,typed on my,dictated,
get outlook for,get outlook,download outlook,get mail for,get bluemail for,this email was sent from my,this message was sent from my,
gesendet von,gesendet vom,gesendet mit,gesendet über,gesendet aus,verschickt von,verschickt mit,geschrieben auf,geschrieben von meinem,
envoyé de,envoyé depuis,envoyé avec,envoyé à partir,envoyé par,envoyé via,envoyée de,envoyé d'un,envoye de,envoye depuis,télécharger outlook,obtenir outlook,provenance : courrier,
enviado desde,enviado de,enviado do,enviado da,enviado a partir,enviado con,enviado com,enviado pelo,enviado por,enviado via,enviado através,enviada do,enviado mediante,obtener outlook,obter o outlook,descargar outlook,baixar o outlook,este mensaje fue enviado desde,este correo fue enviado desde,esta mensagem foi enviada,
inviato da,inviato dal,inviato dall,inviato con,inviato tramite,inviata da,ottieni outlook,scarica outlook,
verstuurd vanaf,verstuurd vanuit,verstuurd met,verstuurd via,verzonden vanaf,verzonden vanuit,verzonden met,verzonden via,verstuurd van,verzonden van,download outlook,
skickat från,skickat med,skickat via,skickades från,sänt från,hämta outlook,
sendt fra,sendt med,sendt via,sendt frå,hent outlook,få outlook,skaff deg outlook,sent úr,sent með,
lähetetty,lähetetty laitteesta,hanki outlook,
wysłane z,wysłano z,wysłane ze,wysłana z,wysłano za pomocą,wysłane za pomocą,pobierz outlook,
odesláno z,odesláno ze,posláno z,posláno ze,odesláno pomocí,získat outlook,odoslané z,odoslané zo,poslané z,poslané zo,odoslané pomocou,
küldve,elküldve,küldte,
trimis de pe,trimis din,trimis de la,trimis cu,obțineți outlook,
poslano s,poslano sa,poslano z,poslano iz,poslato s,poslato sa,poslato iz,poslano pomoću,
отправлено с,отправлено со,отправлено из,отправлено от,отправлено через,послано с,послано из,получить outlook,скачать outlook,
надіслано з,надіслано із,відправлено з,відправлено із,відіслано з,
изпратено от,изпратено с,изпратено чрез,испратено од,послато са,
στάλθηκε από,εστάλη από,απεστάλη από,στάλθηκε με,λήψη του outlook,
saadetud minu,saadetud,nosūtīts no,sūtīts no,išsiųsta iš,siųsta iš,
enviat des,enviat amb,enviat de,bidalia nire,
נשלח מ,נשלח מה,נשלח באמצעות,נשלח מן,أرسلت من,أُرسلت من,تم الإرسال من,مرسل من,أرسل من,ارسال شده از,فرستاده شده از,
được gửi từ,đã gửi từ,gửi từ,nhận outlook,dikirim dari,dikirim dengan,terkirim dari,dikirim melalui,dihantar dari,dihantar daripada,ipinadala mula,ipinadala gamit,
gestuur vanaf,wedi ei anfon`

// sentFirstWithin begin such lines in scripts without spaces.
var sentFirstWithin = []string{"发自", "發自", "來自我的", "来自我的", "從我的", "从我的", "由我的", "寄自我的", "ส่งจาก"}

// sentLast is the last word of such lines.
const sentLast = `gesendet,verschickt,geschrieben,verfasst,verzonden,verstuurd,envoyé,gönderildi,gönderilmiştir,küldve,küldték,गया,küldtem,rollar`

// sentLastWithin ends such lines in scripts without spaces.
var sentLastWithin = []string{"送信", "傳送", "传送", "寄出", "发送", "發送", "送りました", "보냄", "보냈습니다", "전송", "発信"}

// devices are names of devices, and of programs that put such lines below a mail.
const devices = `iphone,ipad,ipod,ios,iphonesta,mobile,mobiltelefon,mobilgerät,mobil,handy,smartphone,phone,cellphone,cell,tablet,android,
samsung,galaxy,huawei,xiaomi,redmi,oneplus,pixel,nokia,lumia,htc,sony,xperia,lg,motorola,blackberry,windows,mac,macbook,
outlook,yahoo,gmail,gmx,mail,mailapp,thunderbird,proton,protonmail,aquamail,bluemail,airmail,spark,mailbird,yandex,zimbra,roundcube,telefon,téléphone,teléfono,telefono,
mobiel,telefoon,puhelin,telefoonist,app,gerät,appareil,móvil,celular,cellulare,mailbox,device,email,unterwegs,courrier`

// devicesWithin are the same where letters of another word may stand around them.
var devicesWithin = []string{"iphone", "ipad", "android", "smartphone", "k-9", "mobiltelefon", "携帯", "手机", "手機", "휴대", "邮箱", "мобильн", "телефон", "outlook"}

// excuseStems are what people ask to be excused for below such a line.
const excuseStems = `excuse,typo,brevity,brief,sorry,apolog,pardon,forgive,spelling,autocorrect,auto-correct,fat finger,thumbs,
entschuldig,tippfehler,kürze,verzeih,faute,concis,erreur,disculp,errores,brevedad,erros,desculp,scus,errori,brevit,typefout,beknopt,ursäkta,stavfel,undskyld,błęd,извин,опечат`
