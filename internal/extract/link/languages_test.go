package link

import "testing"

// TestLanguages has one row for each language: the texts of four links, and a sentence before a link that says nothing,
// which asks to reset a password.
func TestLanguages(t *testing.T) {
	for _, tt := range []struct {
		lang                          string
		verify, signIn, reset, out    string
		sentence, here, viewInBrowser string
	}{
		{"en", "Confirm your email address", "Sign in", "Reset your password", "Unsubscribe",
			"Click the link below to choose a new password:", "Click here", "View in browser"},
		{"de", "E-Mail-Adresse bestätigen", "Jetzt anmelden", "Passwort zurücksetzen", "Newsletter abbestellen",
			"Klicken Sie auf den folgenden Link, um Ihr Passwort zu ändern:", "Hier klicken", "Im Browser ansehen"},
		{"de, du", "Bestätige dein Konto", "Einloggen", "Neues Passwort festlegen", "Hier abmelden",
			"Setze dein Passwort mit diesem Link zurück:", "Weiter", "Online ansehen"},
		{"fr", "Vérifier mon adresse e-mail", "Se connecter", "Réinitialiser le mot de passe", "Se désabonner",
			"Cliquez sur le lien ci-dessous pour changer votre mot de passe :", "Cliquez ici",
			"Voir dans le navigateur"},
		{"es", "Confirmar mi correo electrónico", "Iniciar sesión", "Restablecer contraseña", "Cancelar suscripción",
			"Haz clic en el siguiente enlace para cambiar tu contraseña:", "Haz clic aquí", "Ver en el navegador"},
		{"pt", "Confirmar o meu e-mail", "Iniciar sessão", "Repor palavra-passe", "Cancelar a subscrição",
			"Clique na ligação abaixo para alterar a sua palavra-passe:", "Clique aqui", "Ver no navegador"},
		{"pt-BR", "Verificar e-mail", "Fazer login", "Redefinir senha", "Descadastrar-se",
			"Clique no link abaixo para redefinir sua senha:", "Clique aqui", "Ver no navegador"},
		{"it", "Conferma il tuo indirizzo email", "Accedi", "Reimposta la password", "Annulla l'iscrizione",
			"Fai clic sul link seguente per reimpostare la password:", "Clicca qui", "Visualizza nel browser"},
		{"nl", "Bevestig je e-mailadres", "Inloggen", "Wachtwoord opnieuw instellen", "Uitschrijven",
			"Klik op de onderstaande link om je wachtwoord te wijzigen:", "Klik hier", "Bekijk in je browser"},
		{"pl", "Potwierdź adres e-mail", "Zaloguj się", "Zresetuj hasło", "Wypisz się", "Kliknij poniższy link, aby " +
			"zmienić hasło:", "Kliknij tutaj", "Zobacz w przeglądarce"},
		{"cs", "Potvrdit e-mailovou adresu", "Přihlásit se", "Obnovit heslo", "Odhlásit odběr",
			"Pro změnu hesla klikněte na následující odkaz:", "Klikněte zde", "Zobrazit v prohlížeči"},
		{"sk", "Overiť e-mailovú adresu", "Prihlásiť sa", "Obnoviť heslo", "Odhlásiť sa z odberu",
			"Pre zmenu hesla kliknite na nasledujúci odkaz:", "Kliknite sem", "Zobraziť v prehliadači"},
		{"sl", "Potrdite e-poštni naslov", "Prijava", "Ponastavi geslo", "Odjava od novic",
			"Za spremembo gesla kliknite na spodnjo povezavo:", "Kliknite tukaj", "Ogled"},
		{"hr", "Potvrdi e-mail adresu", "Prijavi se", "Resetiraj lozinku", "Odjavi se",
			"Kliknite na sljedeću poveznicu za promjenu lozinke:", "Kliknite ovdje", "Pogledaj"},
		{"sr", "Потврдите е-пошту", "Пријавите се", "Ресетујте лозинку", "Одјавите се", "Кликните на следећи линк да " +
			"промените лозинку:", "Кликните овде", "Погледај"},
		{"sv", "Bekräfta din e-postadress", "Logga in", "Återställ lösenord", "Avsluta prenumeration",
			"Klicka på länken nedan för att byta lösenord:", "Klicka här", "Visa i webbläsaren"},
		{"da", "Bekræft din e-mailadresse", "Log ind", "Nulstil adgangskode", "Afmeld nyhedsbrev",
			"Klik på linket nedenfor for at ændre din adgangskode:", "Klik her", "Se i browseren"},
		{"nb", "Bekreft e-postadressen din", "Logg inn", "Tilbakestill passord", "Meld deg av",
			"Klikk på lenken nedenfor for å endre passordet ditt:", "Klikk her", "Vis i nettleser"},
		{"fi", "Vahvista sähköpostiosoitteesi", "Kirjaudu sisään", "Palauta salasana", "Peruuta tilaus",
			"Klikkaa alla olevaa linkkiä vaihtaaksesi salasanasi:", "Klikkaa tästä", "Näytä selaimessa"},
		{"et", "Kinnita oma e-posti aadress", "Logi sisse", "Lähtesta parool", "Loobu tellimusest",
			"Parooli muutmiseks klõpsa alloleval lingil:", "Kliki siia", "Ava"},
		{"lv", "Apstiprināt e-pastu", "Pierakstīties", "Atiestatīt paroli", "Atrakstīties",
			"Lai nomainītu paroli, nospiediet uz saites:", "Spiest šeit", "Skatīt"},
		{"lt", "Patvirtinti el. paštą", "Prisijungti", "Atkurti slaptažodį", "Atsisakyti prenumeratos",
			"Paspauskite nuorodą, kad pakeistumėte slaptažodį:", "Spauskite čia", "Peržiūrėti"},
		{"hu", "E-mail-cím megerősítése", "Bejelentkezés", "Jelszó visszaállítása", "Leiratkozás",
			"Kattintson az alábbi linkre a jelszó megváltoztatásához:", "Kattintson ide", "Megnyitás"},
		{"ro", "Confirmă adresa de e-mail", "Autentificare", "Resetează parola", "Dezabonare",
			"Faceți clic pe linkul de mai jos pentru a schimba parola:", "Apasă aici", "Vezi în browser"},
		{"bg", "Потвърдете имейл адреса си", "Вход", "Смяна на паролата", "Отписване",
			"Кликнете върху връзката по-долу, за да смените паролата си:", "Кликнете тук", "Преглед"},
		{"el", "Επιβεβαίωση διεύθυνσης email", "Σύνδεση", "Επαναφορά κωδικού πρόσβασης", "Κατάργηση εγγραφής",
			"Κάντε κλικ στον παρακάτω σύνδεσμο για να αλλάξετε τον κωδικό σας:", "Κάντε κλικ εδώ", "Προβολή"},
		{"tr", "E-posta adresinizi doğrulayın", "Giriş yap", "Şifreyi sıfırla", "Abonelikten çık",
			"Şifrenizi değiştirmek için aşağıdaki bağlantıya tıklayın:", "Buraya tıklayın", "Tarayıcıda görüntüle"},
		{"ru", "Подтвердить адрес электронной почты", "Войти", "Сбросить пароль", "Отписаться",
			"Чтобы изменить пароль, перейдите по ссылке ниже:", "Нажмите здесь", "Открыть в браузере"},
		{"uk", "Підтвердити електронну адресу", "Увійти", "Скинути пароль", "Відписатися",
			"Щоб змінити пароль, перейдіть за посиланням нижче:", "Натисніть тут", "Переглянути у браузері"},
		{"ja", "メールアドレスを確認する", "ログイン", "パスワードを再設定", "配信停止はこちら", "以下のリンクをクリックしてパスワードを変更してください。", "こちらをクリック", "ブラウザで表示"},
		{"ko", "이메일 주소 인증하기", "로그인", "비밀번호 재설정", "수신거부", "아래 링크를 클릭하여 비밀번호를 변경하세요.", "여기를 클릭", "웹에서 보기"},
		{"zh-Hans", "验证邮箱地址", "登录", "重置密码", "退订", "请点击以下链接重置您的密码：", "点击这里", "在浏览器中查看"},
		{"zh-Hant", "驗證電子郵件地址", "登入", "重設密碼", "取消訂閱", "請點擊以下連結重設您的密碼：", "按此處", "網頁版"},
		{"vi", "Xác nhận địa chỉ email", "Đăng nhập", "Đặt lại mật khẩu", "Hủy đăng ký", "Nhấp vào liên kết bên dưới " +
			"để đổi mật khẩu:", "Nhấn vào đây", "Xem trên trình duyệt"},
		{"th", "ยืนยันอีเมลของคุณ", "เข้าสู่ระบบ", "รีเซ็ตรหัสผ่าน", "ยกเลิกการรับข่าวสาร",
			"คลิกลิงก์ด้านล่างเพื่อเปลี่ยนรหัสผ่าน:", "คลิกที่นี่", "ดูในเบราว์เซอร์"},
		{"id", "Verifikasi alamat email", "Masuk", "Atur ulang kata sandi", "Berhenti berlangganan",
			"Klik tautan di bawah untuk mengubah kata sandi Anda:", "Klik di sini", "Lihat di browser"},
		{"ms", "Sahkan alamat e-mel", "Log masuk", "Tetapkan semula kata laluan", "Nyahlanggan",
			"Klik pautan di bawah untuk menukar kata laluan anda:", "Klik di sini", "Lihat"},
		{"ar", "تأكيد البريد الإلكتروني", "تسجيل الدخول", "إعادة تعيين كلمة المرور", "إلغاء الاشتراك",
			"انقر على الرابط أدناه لتغيير كلمة المرور:", "اضغط هنا", "عرض في المتصفح"},
		{"fa", "تأیید ایمیل", "ورود", "بازنشانی رمز عبور", "لغو اشتراک", "برای تغییر رمز عبور روی پیوند زیر کلیک کنید:",
			"اینجا کلیک کنید", "مشاهده"},
		{"he", "אימות כתובת הדוא״ל", "התחברות", "איפוס סיסמה", "להסרה מרשימת התפוצה", "לחצו על הקישור הבא כדי לשנות " +
			"את הסיסמה:", "לחצו כאן", "צפייה בדפדפן"},
		{"hi", "अपना ईमेल सत्यापित करें", "साइन इन करें", "पासवर्ड रीसेट करें", "सदस्यता समाप्त करें",
			"अपना पासवर्ड बदलने के लिए नीचे दिए गए लिंक पर क्लिक करें:", "यहाँ क्लिक करें", "ब्राउज़र में देखें"},
		{"ht", "Konfime adrès imel ou", "Konekte", "Reyinisyalize modpas", "Dezabone", "Klike sou lyen ki anba a pou " +
			"chanje modpas ou:", "Klike isit la", "Gade nan navigatè ou"},
		{"bn", "ইমেইল যাচাই করুন", "সাইন ইন", "পাসওয়ার্ড রিসেট করুন", "আনসাবস্ক্রাইব",
			"পাসওয়ার্ড পরিবর্তন করতে নিচের লিংকে ক্লিক করুন:", "এখানে ক্লিক করুন", "দেখুন"},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			for _, link := range []struct {
				text string
				want Kind
			}{{tt.verify, Verify}, {tt.signIn, SignIn}, {tt.reset, Reset}, {tt.out, Unsubscribe},
				{tt.viewInBrowser, Other}} {
				m := Mail{View: seen(`<p>Acme</p><p><a href="` + tokened + `">` + link.text + `</a></p>`)}
				if got := kindOf(t, m, tokened); got != link.want {
					t.Errorf("%q: got %s, want %s", link.text, got, link.want)
				}
			}
			for _, m := range []Mail{
				{View: seen("<p>" + tt.sentence + `</p><a href="` + wrapper + `">` + tt.here + `</a>`)},
				{View: seen("<p>Acme</p><p>" + tt.sentence + `</p><p><a href="` + wrapper + `">` + wrapper +
					`</a></p>`)},
				{Text: "Acme!\n\n" + tt.sentence + "\n" + wrapper + "\n\nAcme\n"},
				{Subject: tt.reset, View: seen(`<p>Acme</p><a href="` + wrapper + `">` + tt.here + `</a>`)},
			} {
				if got := kindOf(t, m, wrapper); got != Reset {
					t.Errorf("%+v: got %s", m, got)
				}
			}
		})
	}
}
