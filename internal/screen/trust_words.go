package screen

import (
	"sync"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// What a mail can speak of, as far as trust goes.
const (
	urgent  stem.Set = 1 << iota // at once, or else
	pay                          // transfers, gift cards, changed bank details
	signIn                       // log in, confirm your account
	company                      // support, bank, accounting: in a sender's name
	looked                       // the words were looked up
)

// trustWords is the table of these words. It is made at the first use.
var trustWords = sync.OnceValue(func() *stem.Table {
	return stem.NewTable(
		stem.Row{Means: urgent, Stems: `urgent,immediately,as soon as possible,asap.,right away,within 24 hours,within 48 hours,final notice,last warning,
			before end of day,by end of day,will be suspended,will be closed,will be terminated,will be locked,account suspended,legal action,
			dringend,sofort.,umgehend,letzte mahnung,innerhalb von 24,urgence,immediatement,sous 24,sous 48,dernier rappel,urgente,inmediat,de inmediato,
			ultimo aviso,en 24 horas,imediatamente,com urgencia,em 24 horas,urgenza,immediatamente,entro 24,dringende,onmiddellijk,binnen 24,
			pilne,pilny,natychmiast,w ciagu 24,bradskande,omgaende,haster,omgaaende,kiireelli,valittomasti,surgos,azonnal,acil.,derhal,24 saat icinde,
			nalehav,okamzite,urgenta,imediat.,срочн,немедленно,в течение 24,терміново,негайно,спешно,незабавно,επειγον,αμεσα,عاجل,فورا,خلال 24,
			דחוף,מיידי,तत्काल,तुरंत,紧急,緊急,立即,至急,ただちに,直ちに,긴급,즉시,khan cap,ngay lap tuc,ด่วน,ทันที,segera.,mendesak,فوری`},
		stem.Row{Means: pay, Stems: `wire transfer,wire the,bank transfer,gift card,giftcard,itunes card,bitcoin,btc.,usdt,new bank details,new bank account,
			changed our bank,updated bank,change of bank,banking details,overdue invoice,outstanding invoice,outstanding payment,outstanding balance,make a payment,process a payment,process the payment,
			send the payment,send money,western union,moneygram,pay now,pay immediately,payment is due,payment immediately,release fee,customs fee,
			uberweisung,uberweisen,gutscheinkarte,geschenkkarte,neue bankverbindung,zahlung.,virement,carte cadeau,cartes cadeaux,nouveau rib,coordonnees bancaires,paiement,transferencia,tarjetas de regalo,nueva cuenta bancaria,pago.,
			cartoes-presente,nova conta bancaria,pagamento,bonifico,carte regalo,nuovo iban,overboeking,cadeaukaart,betaling,przelew,karty podarunkowe,platnosc,overforing,
			presentkort,gavekort,tilisiirto,maksu.,lahjakort,atutalas,fizetes,havale,odeme.,hediye kart,prevod.,platb,transfer bancar,plata.,перевод,подарочн,оплат,переказ,плащане,
			πληρωμη,εμβασμα,حواله,تحويل,דפע,העברה בנקאית,תשלום,भुगतान,转账,轉帳,汇款,匯款,付款,礼品卡,振込,送金,支払,송금,이체,결제,chuyen khoan,thanh toan,โอนเงิน,ชำระ,pembayaran,transfer dana,پرداخت`},
		stem.Row{Means: signIn, Stems: `sign in,sign-in,signin,log in,log-in,login,verify your,confirm your,validate your,password,update your account,your account has been,unlock your,
			restore access,credential,anmelden,einloggen,passwort,kennwort,konto bestatigen,verifizieren,connectez-vous,connexion,mot de passe,verifier votre,confirmez votre,
			iniciar sesion,inicie sesion,contrasena,verifique su,confirme su,verifica tu,entrar na,senha,palavra-passe,verifique sua,confirme sua,accedi.,accesso,verifica il,conferma il,
			inloggen,wachtwoord,bevestig uw,zaloguj,haslo,potwierdz,logga in,losenord,log ind,adgangskode,logg inn,passord,kirjaudu,salasana,jelentkezzen be,jelszo,oturum ac,giris yap,sifre,parola,
			prihlas,heslo,autentific,войдите,войти,парол,подтвердите,увійдіть,підтверд,влезте,συνδεθειτε,κωδικο,تسجيل الدخول,كلمه المرور,התחבר,סיסמ,लॉग इन,पासवर्ड,登录,登入,密码,密碼,验证您,ログイン,パスワード,サインイン,로그인,비밀번호,
			dang nhap,mat khau,เข้าสู่ระบบ,รหัสผ่าน,masuk ke,kata sandi,ورود به`},
		stem.Row{Means: company, Stems: `support.,customer service,customer care,help desk,helpdesk,billing.,accounting,accounts payable,security team,bank.,it department,
			human resources,hr department,payroll,administrator,kundenservice,kundendienst,buchhaltung,service client,comptabilite,atencion al cliente,soporte,
			suporte,assistenza,klantenservice,biuro obslugi,kundtjanst,служба поддержки,客服,カスタマーサポート,고객센터`},
	)
})
