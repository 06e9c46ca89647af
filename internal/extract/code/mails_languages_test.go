package code

// languageMails are codes as services write them in other languages than English.
var languageMails = []sample{
	{"de label", Mail{Subject: "Ihr Bestätigungscode", Text: "Guten Tag,\n\nIhr Bestätigungscode lautet: " +
		"482913\n\nDer Code ist 10 Minuten gültig. Geben Sie ihn niemals weiter.\n\nMusterfirma GmbH, Hauptstraße " +
		"12, 10115 Berlin\nTel. 030 1234567"}, "482913"},
	{"de below", Mail{Subject: "Anmeldung bei Acme", Text: "Hallo Jo,\n\num dich anzumelden, gib bitte den folgenden " +
		"Code ein:\n\n7K2-9QD\n\nDu hast dich nicht angemeldet? Dann ignoriere diese E-Mail."}, "7K2-9QD"},
	{"de tan", Mail{Text: "Ihre TAN für den Auftrag über 250,00 EUR an IBAN DE...4410 lautet 771203."}, "771203"},
	{"de right", Mail{Text: "482913 ist dein Instagram-Code. Gib ihn nicht weiter."}, "482913"},
	{"de paypal", Mail{Text: "PayPal: Ihr Sicherheitscode lautet 330912. Ihr Code läuft in 10 Minuten ab."}, "330912"},
	{"fr label", Mail{Subject: "Votre code de vérification", Text: "Bonjour,\n\nVoici votre code de vérification " +
		":\n\n559 201\n\nIl expire dans 15 minutes. Ne le communiquez à personne.\n\n12 rue de Rivoli, 75001 Paris"},
		"559201"},
	{"fr bank", Mail{Text: "Votre code de sécurité pour valider votre achat de 49,90 EUR chez FNAC est 88120354. Ne " +
		"le communiquez jamais."}, "88120354"},
	{"fr right", Mail{Text: "334 120 est votre code Instagram. Ne le partagez pas."}, "334120"},
	{"es label", Mail{Subject: "Tu código de verificación", Text: "Hola Jo:\n\nTu código de verificación es 771 204. " +
		"Caduca en 10 minutos.\n\nNo compartas este código con nadie."}, "771204"},
	{"es mercado libre", Mail{FromName: "Mercado Libre", Subject: "Tu código de seguridad es 882103",
		Text: "Ingresa este código para continuar\n\n882103\n\nSi no fuiste tú, ignora este e-mail.\nMercadoLibre, " +
			"Av. Caseros 3039, Piso 2, CP 1264, Buenos Aires"}, "882103"},
	{"es sms", Mail{Text: "BBVA: 04418823 es tu clave de un solo uso para firmar la operación. No la compartas."},
		"04418823"},
	{"pt label", Mail{Subject: "Código de acesso", Text: "Olá,\n\nO seu código de acesso é:\n\n339120\n\nEste código " +
		"expira em 5 minutos."}, "339120"},
	{"pt br", Mail{Text: "Nubank: seu codigo de confirmacao e 4412. Nao compartilhe com ninguem."}, "4412"},
	{"it label", Mail{Subject: "Codice di verifica", Text: "Ciao,\n\nil tuo codice di verifica è 660 213.\n\nScade " +
		"tra 10 minuti. Non condividerlo con nessuno."}, "660213"},
	{"it poste", Mail{Text: "Poste Italiane: inserisci il codice 551 902 per autorizzare il pagamento di 35,00 euro."},
		"551902"},
	{"nl label", Mail{Subject: "Je inlogcode", Text: "Beste Jo,\n\nJe inlogcode is:\n\n440192\n\nDe code is 10 " +
		"minuten geldig. Deel deze code met niemand.\n\nKeizersgracht 100, 1015 CV Amsterdam"}, "440192"},
	{"nl digid", Mail{Text: "Uw sms-code voor DigiD is: 338 201"}, "338201"},
	{"sv", Mail{Subject: "Din verifieringskod", Text: "Hej!\n\nDin verifieringskod är 882014.\n\nKoden är giltig i " +
		"10 minuter. Dela den inte med någon."}, "882014"},
	{"da", Mail{Subject: "Din bekræftelseskode", Text: "Hej Jo\n\nBrug denne kode for at logge ind:\n\n551 " +
		"028\n\nKoden udløber om 10 minutter."}, "551028"},
	{"nb", Mail{Subject: "Engangskode", Text: "Hei,\n\nEngangskoden din er 662017. Ikke del koden med noen."},
		"662017"},
	{"nn", Mail{Text: "Stadfestingskoden din er 338812."}, "338812"},
	{"is", Mail{Text: "Staðfestingarkóðinn þinn er 773920. Ekki deila honum með neinum."}, "773920"},
	{"fi", Mail{Subject: "Vahvistuskoodi", Text: "Hei,\n\nvahvistuskoodisi on:\n\n118204\n\nKoodi on voimassa 10 " +
		"minuuttia."}, "118204"},
	{"et", Mail{Subject: "Kinnituskood", Text: "Tere!\n\nTeie kinnituskood on 559120.\n\nKood kehtib 10 minutit. " +
		"Ärge jagage seda kellegagi."}, "559120"},
	{"lv", Mail{Subject: "Verifikācijas kods", Text: "Jūsu apstiprinājuma kods ir: 440218\n\nKods ir derīgs 10 minūtes."}, "440218"},
	{"lt", Mail{Subject: "Patvirtinimo kodas", Text: "Sveiki,\n\nJūsu patvirtinimo kodas: 771930\n\nKodas galioja 10 " +
		"minučių."}, "771930"},
	{"pl", Mail{Subject: "Kod weryfikacyjny", Text: "Cześć,\n\nTwój kod weryfikacyjny to:\n\n338 402\n\nKod wygaśnie " +
		"za 10 minut. Nie udostępniaj go nikomu.\n\nul. Marszałkowska 1, 00-624 Warszawa"}, "338402"},
	{"pl blik bank", Mail{Text: "mBank: Operacja nr 1 z dn. 12-03-2024 Przelew na rach.: 1234...567890 kwota: 120,00 " +
		"PLN haslo: 88120344"}, "88120344"},
	{"cs", Mail{Subject: "Ověřovací kód", Text: "Dobrý den,\n\nVáš ověřovací kód je 559 013.\n\nPlatnost kódu vyprší " +
		"za 10 minut."}, "559013"},
	{"sk", Mail{Subject: "Overovací kód", Text: "Váš overovací kód je:\n\n220914\n\nKód nikomu neposkytujte."},
		"220914"},
	{"sl", Mail{Subject: "Potrditvena koda", Text: "Vaša potrditvena koda je 338120. Koda velja 10 minut."}, "338120"},
	{"hr", Mail{Subject: "Kod za prijavu", Text: "Pozdrav,\n\nza prijavu upišite sljedeći kod:\n\n771820\n\nAko " +
		"niste vi zatražili kod, zanemarite ovu poruku."}, "771820"},
	{"sr cyrillic", Mail{Subject: "Верификациони код", Text: "Ваш верификациони код је 448102. Немојте га делити."},
		"448102"},
	{"mk", Mail{Text: "Вашиот код за потврда е 338910."}, "338910"},
	{"bg", Mail{Subject: "Код за потвърждение", Text: "Здравейте,\n\nВашият код за потвърждение " +
		"е:\n\n229410\n\nКодът е валиден 10 минути."}, "229410"},
	{"ru label", Mail{Subject: "Код подтверждения", Text: "Здравствуйте!\n\nВаш код подтверждения: 559-120\n\nНикому " +
		"не сообщайте этот код. Он действителен 10 минут.\n\n© 2024 ООО «Яндекс», 119021, Москва, ул. Льва Толстого, 16"}, "559120"},
	{"ru yandex", Mail{FromName: "Яндекс", Text: "Ваш код подтверждения: 338-402. Наберите его в поле ввода."},
		"338402"},
	{"ru sber", Mail{Text: "Никому не сообщайте код 88120. Вход в Сбербанк Онлайн 12.03.24 14:05. Если это не вы, " +
		"позвоните 900."}, "88120"},
	{"ru below", Mail{Subject: "Вход в аккаунт", Text: "Чтобы войти, введите код из письма\n\n4410\n\nЕсли вы не " +
		"запрашивали вход, просто проигнорируйте это письмо."}, "4410"},
	{"uk", Mail{Subject: "Код підтвердження", Text: "Вітаємо!\n\nВаш код підтвердження: 773120\n\nНікому не " +
		"повідомляйте цей код."}, "773120"},
	{"be", Mail{Text: "Ваш код пацвярджэння: 118320"}, "118320"},
	{"ro", Mail{Subject: "Codul tău de verificare", Text: "Bună,\n\nCodul tău de verificare este:\n\n559 " +
		"330\n\nCodul expiră în 10 minute. Nu îl împărtăși cu nimeni."}, "559330"},
	{"hu", Mail{Subject: "Ellenőrző kód", Text: "Kedves Jo!\n\nAz ellenőrző kódod: 229013\n\nA kód 10 percig " +
		"érvényes. Ne oszd meg senkivel.\n\n1051 Budapest, Nádor utca 1."}, "229013"},
	{"hu article", Mail{Subject: "Belépési kód", Text: "Az Ön egyszer használatos belépési kódja:\n\n338291"},
		"338291"},
	{"el", Mail{Subject: "Κωδικός επαλήθευσης", Text: "Γεια σας,\n\nο κωδικός επαλήθευσής σας είναι:\n\n448120\n\nΟ " +
		"κωδικός λήγει σε 10 λεπτά."}, "448120"},
	{"tr", Mail{Subject: "Doğrulama kodu", Text: "Merhaba,\n\nDoğrulama kodunuz: 771 930\n\nBu kod 10 dakika " +
		"geçerlidir. Kimseyle paylaşmayın."}, "771930"},
	{"tr bank", Mail{Text: "Sayın müşterimiz, 1.250,00 TL tutarındaki işleminiz için tek kullanımlık şifreniz " +
		"551203. Kimseyle paylaşmayınız. Mersis: 0123456789"}, "551203"},
	{"az", Mail{Text: "Təsdiq kodunuz: 4410. Heç kimlə paylaşmayın."}, "4410"},
	{"kk", Mail{Text: "Растау коды: 338102. Ешкімге айтпаңыз."}, "338102"},
	{"uz", Mail{Text: "Tasdiqlash kodi: 559201. Uni hech kimga bermang."}, "559201"},
	{"ka", Mail{Subject: "დადასტურების კოდი", Text: "თქვენი დადასტურების კოდია 448820. არავის გაუზიაროთ."}, "448820"},
	{"hy", Mail{Subject: "Հաստատման կոդ", Text: "Ձեր հաստատման կոդն է՝ 771204"}, "771204"},
	{"he", Mail{Subject: "קוד האימות שלך", Text: "שלום,\n\nקוד האימות שלך הוא:\n\n338201\n\nהקוד תקף ל-10 דקות. אין " +
		"לשתף אותו עם אף אחד."}, "338201"},
	{"he sms", Mail{Text: "הקוד החד פעמי שלך לכניסה: 55120. אין למסור לאיש."}, "55120"},
	{"ar label", Mail{Subject: "رمز التحقق", Text: "مرحباً،\n\nرمز التحقق الخاص بك هو: 559201\n\nتنتهي صلاحية الرمز " +
		"خلال 10 دقائق. لا تشاركه مع أحد."}, "559201"},
	{"ar digits", Mail{Subject: "رمز التحقق", Text: "رمز التحقق الخاص بك هو:\n\n٤٤٨١٢٠\n\nصالح لمدة ١٠ دقائق."},
		"448120"},
	{"fa digits", Mail{Subject: "کد تأیید", Text: "کد تأیید شما: ۷۷۱۲۰\n\nاین کد را در اختیار دیگران قرار ندهید."},
		"77120"},
	{"ur", Mail{Text: "آپ کا تصدیقی کوڈ 338120 ہے۔ اسے کسی کے ساتھ شیئر نہ کریں۔"}, "338120"},
	{"hi", Mail{Subject: "सत्यापन कोड", Text: "नमस्ते,\n\nआपका सत्यापन कोड है:\n\n४४८१२०\n\nयह कोड 10 मिनट तक मान्य " +
		"है। इसे किसी के साथ साझा न करें।"}, "448120"},
	{"hi otp", Mail{Text: "आपका OTP 559013 है। कृपया इसे किसी से साझा न करें।"}, "559013"},
	{"mr", Mail{Text: "तुमचा पडताळणी कोड 338201 आहे."}, "338201"},
	{"bn", Mail{Text: "আপনার যাচাইকরণ কোড: ৫৫৯২০১। কারো সাথে শেয়ার করবেন না।"}, "559201"},
	{"gu", Mail{Text: "તમારો ચકાસણી કોડ 771204 છે."}, "771204"},
	{"pa", Mail{Text: "ਤੁਹਾਡਾ ਪੁਸ਼ਟੀਕਰਨ ਕੋਡ 338102 ਹੈ।"}, "338102"},
	{"ta", Mail{Text: "உங்கள் சரிபார்ப்புக் குறியீடு: 448201"}, "448201"},
	{"te", Mail{Text: "మీ ధృవీకరణ కోడ్ 559120"}, "559120"},
	{"kn", Mail{Text: "ನಿಮ್ಮ ಪರಿಶೀಲನಾ ಕೋಡ್ 338201"}, "338201"},
	{"ml", Mail{Text: "നിങ്ങളുടെ സ്ഥിരീകരണ കോഡ് 771930 ആണ്."}, "771930"},
	{"si", Mail{Text: "ඔබගේ සත්\u200dයාපන කේතය 448120 වේ."}, "448120"},
	{"ne", Mail{Text: "तपाईंको प्रमाणीकरण कोड ५५९०१३ हो।"}, "559013"},
	{"th", Mail{Subject: "รหัสยืนยัน", Text: "รหัสยืนยันของคุณคือ 338201 ใช้ได้ภายใน 10 นาที ห้ามบอกรหัสนี้กับผู้อื่น"},
		"338201"},
	{"th otp ref", Mail{Text: "OTP 771204 (Ref: KXQT) สำหรับทำรายการ 1,500.00 บาท ห้ามบอกรหัส OTP แก่ใคร"}, "771204"},
	{"th digits", Mail{Subject: "รหัสผ่านครั้งเดียว", Text: "รหัส OTP ของคุณคือ\n\n๔๔๘๑๒๐"}, "448120"},
	{"lo", Mail{Text: "ລະຫັດຢືນຢັນຂອງທ່ານແມ່ນ 559120"}, "559120"},
	{"km", Mail{Text: "លេខកូដផ្ទៀងផ្ទាត់របស់អ្នកគឺ ៣៣៨២០១"}, "338201"},
	{"my", Mail{Text: "သင်၏အတည်ပြုကုဒ်မှာ ၇၇၁၂၀၄ ဖြစ်ပါသည်။"}, "771204"},
	{"vi", Mail{Subject: "Mã xác minh", Text: "Xin chào,\n\nMã xác minh của bạn là:\n\n448120\n\nMã có hiệu lực " +
		"trong 10 phút. Không chia sẻ mã này với bất kỳ ai."}, "448120"},
	{"vi no marks", Mail{Text: "Ma xac thuc cua quy khach la 559013. Vui long khong cung cap ma nay cho bat ky ai. " +
		"Hotline 1900545413"}, "559013"},
	{"id", Mail{Subject: "Kode verifikasi", Text: "Halo,\n\nKode verifikasi Anda adalah 338201. Jangan bagikan kode " +
		"ini kepada siapa pun.\n\nJl. Sudirman No. 52, Jakarta 12190"}, "338201"},
	{"ms tac", Mail{Text: "RM0.00 Maybank: TAC anda ialah 771204 untuk pindahan RM 1200 ke akaun 1234. Jangan dedahkan."}, "771204"},
	{"tl", Mail{Text: "Ang iyong verification code ay 448120. Huwag itong ibahagi kaninuman."}, "448120"},
	{"sw", Mail{Text: "Nambari yako ya uthibitisho ni 559120. Usimshirikishe mtu yeyote."}, "559120"},
	{"am", Mail{Text: "የማረጋገጫ ኮድዎ 338201 ነው።"}, "338201"},
	{"mn", Mail{Text: "Таны баталгаажуулах код: 771204"}, "771204"},
	{"ca", Mail{Subject: "Codi de verificació", Text: "El teu codi de verificació és 448120. Caduca en 10 minuts."},
		"448120"},
	{"gl", Mail{Text: "O teu código de verificación é 559120."}, "559120"},
	{"eu", Mail{Text: "Zure egiaztapen-kodea hau da: 338201"}, "338201"},
	{"sq", Mail{Text: "Kodi juaj i verifikimit është 771204."}, "771204"},
	{"af", Mail{Text: "Jou verifikasiekode is 448120. Moenie dit met enigiemand deel nie."}, "448120"},
	{"cy", Mail{Text: "Eich cod diogelwch yw 559120."}, "559120"},
	{"ga", Mail{Text: "Is é do chód fíoraithe ná 338201."}, "338201"},
	{"zh bracket", Mail{Text: "【淘宝网】验证码：448120，您正在登录，请勿将验证码告诉他人。如非本人操作请忽略。"}, "448120"},
	{"zh no space", Mail{Text: "【招商银行】您尾号8812的信用卡正在支付人民币1500元，动态密码559120，请勿泄露。客服95555"}, "559120"},
	{"zh mail", Mail{Subject: "邮箱验证", FromName: "微信团队",
		Text: "您好：\n\n您正在进行邮箱验证，本次请求的验证码为：\n\n338201\n\n(为了保障您帐号的安全性，请在1小时内完成验证。)\n\n2024年3月12日"}, "338201"},
	{"zh right", Mail{Text: "771204是你的验证码，10分钟内有效。"}, "771204"},
	{"zh full width", Mail{Subject: "验证码", Text: "您的验证码是：４４８１２０，请在５分钟内输入。"}, "448120"},
	{"zh alnum", Mail{Subject: "登录校验", Text: "您的校验码为 K7P2，请尽快完成操作。"}, "K7P2"},
	{"zh-tw", Mail{Subject: "您的驗證碼", Text: "您好，\n\n您的驗證碼為 559120，請於 10 分鐘內輸入。請勿將驗證碼提供給他人。\n\n客服專線 02-12345678"},
		"559120"},
	{"zh-hk", Mail{Text: "滙豐: 你的一次性密碼為338201，用作登入網上理財。切勿向他人透露。"}, "338201"},
	{"ja label", Mail{Subject: "認証コードのお知らせ", Text: "いつもご利用ありがとうございます。\n\n認証コード：448120\n\n有効期限は10分です。他人に教えないでください。\n\n〒150-0002 東京都渋谷区渋谷2-21-1\n電話 03-1234-5678"}, "448120"},
	{"ja wa desu", Mail{Text: "あなたの確認コードは 559120 です。"}, "559120"},
	{"ja full width", Mail{Subject: "ワンタイムパスワード", Text: "ワンタイムパスワード\n\n３３８２０１\n\nこのパスワードは10分間有効です。"}, "338201"},
	{"ja line", Mail{FromName: "LINE", Text: "LINEの認証番号：771204\nこの番号を第三者に教えないでください。"}, "771204"},
	{"ja pin", Mail{Subject: "PINコード", Text: "以下のPINコードを入力してください。\n\n4410\n\n心当たりのない場合はこのメールを破棄してください。"}, "4410"},
	{"ko web", Mail{Text: "[Web발신]\n[카카오] 인증번호 [448120]를 입력해 주세요."}, "448120"},
	{"ko mail", Mail{Subject: "인증번호 안내", Text: "안녕하세요.\n\n아래 인증번호를 입력해 주세요.\n\n559120\n\n인증번호는 10분간 유효합니다.\n서울특별시 " +
		"강남구 테헤란로 152 (우) 06236\n고객센터 1588-1234"}, "559120"},
	{"ko code", Mail{Text: "Instagram 코드: 338 201. 이 코드를 다른 사람과 공유하지 마세요."}, "338201"},
	{"ko joined", Mail{Text: "네이버 인증번호는771204입니다"}, "771204"},
	{"ht label", Mail{Subject: "Kòd verifikasyon ou", Text: "Bonjou,\n\nKòd verifikasyon ou se 448120. Li valab pou " +
		"10 minit.\nPa pataje kòd sa a ak pèsonn."}, "448120"},
	{"ht to confirm", Mail{Text: "Antre 559120 pou konfime kont ou. Si se pa ou, inyore mesaj sa a."}, "559120"},
	{name: "ht order", mail: Mail{Subject: "Konfimasyon kòmand", Text: "Mèsi pou kòmand ou. Nimewo kòmand: 448120"}},
	{"unknown language", Mail{FromName: "Acme", Subject: "Acme", Text: "Koyi hoto zal muratip:\n\n448120\n\nOTP nuru " +
		"10 min."}, "448120"},
	{"tr verb last", Mail{Subject: "Giriş", Text: "Hesabınıza giriş yapmak için 338120 girin."}, "338120"},
	{"zh behind the sender", Mail{Text: "【示例】338120，您正在登录，若非本人操作请忽略。"}, "338120"},
	{"vi singles", Mail{Text: "Mã xác minh của bạn là 3 3 8 1 2 0. Không chia sẻ mã này."}, "338120"},
	{"nl phone number", Mail{Text: "Gebruik 3381 om je telefoonnummer te bevestigen bij Acme"}, "3381"},
	{"nl to go on", Mail{Text: "Voer 338120 in om door te gaan."}, "338120"},
	{"es to go on", Mail{Text: "Introduce 338120 para continuar"}, "338120"},
	{"tr to go on", Mail{Text: "Devam etmek için 338120 yazın"}, "338120"},
	{"id phone number", Mail{Text: "Masukkan 338120 untuk memverifikasi nomor telepon Anda"}, "338120"},
	{"fa phone number", Mail{Text: "برای تایید شماره تلفن خود 338120 را وارد کنید"}, "338120"},
	{"zh-TW account and otp", Mail{Subject: "一次性密碼通知", Text: "您於 2025/11/03 10:15 申請轉帳 NT$12,000 至帳號末五碼 33021，OTP " +
		"密碼為 338120，請於 180 秒內輸入。"}, "338120"},
	{"zh seven digits and minutes", Mail{Text: "尊敬的用户，验证码为3381204,5分钟内有效。"}, "3381204"},
	{"zh four digits and minutes", Mail{Text: "登录验证码是3381,3分钟内有效,请勿转发"}, "3381"},
	{"zh colon and hours", Mail{Text: "校验码：33812047,2小时内有效"}, "33812047"},
	{"zh full stop and minutes", Mail{Text: "动态密码33812.10分钟内有效"}, "33812"},
	{"zh-TW and seconds", Mail{Text: "您的驗證碼是338120,60秒內有效"}, "338120"},
	{"zh-TW brackets and minutes", Mail{Text: "驗證碼【3381204】,10分鐘內有效"}, "3381204"},
	{"ja and minutes", Mail{Text: "認証コードは3381204,10分以内に入力してください。"}, "3381204"},
	{"ja and hours", Mail{Text: "確認コード：338120,1時間有効です"}, "338120"},
	{"ko and minutes", Mail{Text: "인증번호는3381204,3분 이내에 입력해 주세요."}, "3381204"},
	{"ru and minutes", Mail{Text: "Ваш код 338120,10 минут"}, "338120"},
	{name: "ru price with a comma", mail: Mail{Text: "Ваш код товара, цена 338120,10 руб."}},
}
