package link

import (
	"sync"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// urlWords are the words of paths and parameters. They are English nearly everywhere.
var urlWords = sync.OnceValue(func() *stem.Table {
	return stem.NewTable(
		stem.Row{Means: verify, Stems: "verify,verific,verifie,verifier,confirm,validat,valider,activat,activer,unlock,optin,opt in,doi.," +
			"bestaetig,bestatig,verifizier,aktivier,potwierd,verificar,verifica,conferm,ativar,activar,emailauth"},
		stem.Row{Means: verify | email, Stems: "verifyemail,confirmemail,emailverif,emailconfirm,activateemail,validateemail,verifymail,mailverif," +
			"mailconfirm,confirmmail"},
		stem.Row{Means: verify | account, Stems: "activateaccount,verifyaccount,confirmaccount,accountactivat,accountverif,useractivat,activateuser," +
			"verifyuser,confirmuser"},
		stem.Row{Means: verify | signUp, Stems: "confirmregistration,confirmsignup,signupconfirm,registrationconfirm"},
		stem.Row{Means: verify | list, Stems: "confirmsubscription,subscribeconfirm,confirmsubscribe,subconfirm"},
		stem.Row{Means: reset, Stems: "reset,forgot,forget,change,edit,new.,restore,zuruecksetzen,recover,set.,create.,choose"},
		stem.Row{Means: recovers | reset, Stems: "recover"},
		stem.Row{Means: password | reset, Stems: "recovery"},
		stem.Row{Means: password, Stems: "password,passwd,passwort,pwd.,motdepasse,mot de passe,contrasena,senha,kennwort,wachtwoord,haslo"},
		stem.Row{Means: reset | password, Stems: "resetpassword,passwordreset,forgotpassword,changepassword,setpassword,newpassword,resetpwd,pwreset," +
			"pwdreset,lostpassword,lost password,passwordrecover,recoverpassword,resetpw,restorepassword," +
			"createpassword,updatepassword"},
		stem.Row{Means: signIn, Stems: "signin,sign in.,login,log in.,logon,connexion,anmelden,einloggen,passwordless"},
		stem.Row{Means: magic, Stems: "magic,magiclink,passwordless,emaillogin,email login,login link,loginlink,login token,signin link," +
			"signinlink,signin email,email signin,otl.,one time login,onetimelogin,login email,autologin,auto login," +
			"emaillink,login with token"},
		stem.Row{Means: leave, Stems: "unsubscribe,unsubscribing,unsubscription,unsub.,unsubs.,optout,opt out.,abmelden,abbestellen,austragen," +
			"desinscription,desinscrire,desabonn,desinscribir,darse de baja,baja.,descadastr,disiscri,uitschrijven," +
			"afmelden,wypisz,odhlas,avregistrera,avanmalan,afmeld,avmeld,unsubscriber,listunsubscribe," +
			"emailunsubscribe,tuichu,tuiding,leave list,remove me"},
		stem.Row{Means: email, Stems: "email,mail."},
		stem.Row{Means: account, Stems: "account,user,users,profile,identity"},
		stem.Row{Means: signUp, Stems: "signup,sign up.,registration,register,join.,registrier,inscription"},
		stem.Row{Means: list, Stems: "subscri,newsletter"},
		stem.Row{Means: business, Stems: "order,orders,booking,checkout,payment,invoice,appointment,event,rsvp,reservation,shipping,track,offer"},
	)
})

type parameterKind uint8

const (
	namesOther   parameterKind = iota
	namesSecret                // its value is what opens the door
	namesAction                // its value is what happens
	namesPage                  // its value is where a wrapper leads
	namesNothing               // it is of no matter here, but may look like a secret
)

// parameterKinds are the names of parameters that matter.
var parameterKinds = map[string]parameterKind{
	"token": namesSecret, "code": namesSecret, "key": namesSecret, "ticket": namesSecret, "otp": namesSecret,
	"oobcode": namesSecret, "hash": namesSecret, "secret": namesSecret, "jwt": namesSecret, "t": namesSecret,
	"k": namesSecret, "c": namesSecret, "sig": namesSecret, "signature": namesSecret, "nonce": namesSecret,
	"auth": namesSecret, "pin": namesSecret, "otc": namesSecret, "digest": namesSecret,

	"type": namesAction, "action": namesAction, "mode": namesAction, "flow": namesAction, "purpose": namesAction,
	"intent": namesAction, "do": namesAction, "op": namesAction, "cmd": namesAction, "route": namesAction,
	"view": namesAction, "event": namesAction, "stytch_token_type": namesAction, "token_type": namesAction,
	"page": namesAction, "task": namesAction, "event_type": namesAction,

	"url": namesPage, "u": namesPage, "q": namesPage, "target": namesPage, "link": namesPage, "href": namesPage,
	"a": namesPage, "goto": namesPage,

	"utm_source": namesNothing, "utm_medium": namesNothing, "utm_campaign": namesNothing, "utm_content": namesNothing,
	"utm_term": namesNothing, "utm_id": namesNothing, "redirect": namesNothing, "redirect_to": namesNothing,
	"redirect_uri": namesNothing, "redirect_url": namesNothing, "next": namesNothing, "return_to": namesNothing,
	"returnurl": namesNothing, "return_url": namesNothing, "continue": namesNothing, "continueurl": namesNothing,
	"callback": namesNothing, "lang": namesNothing, "locale": namesNothing, "ref": namesNothing, "source": namesNothing,
	"fbclid": namesNothing, "gclid": namesNothing, "mc_cid": namesNothing, "mc_eid": namesNothing, "theme": namesNothing,
}
