package screen

import (
	"sync"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// What people say to each other that sounds like an instruction to a model. It is looked up only in sentences to which
// a rule applies.
const (
	corrects stem.Set = 1 << iota // my previous mail, the delivery instructions
	terms                         // you may not, unsubscribe: contracts, and what stands below mails
	firm                          // you must, please: words that are an order wherever they stand
)

// spoken is the table of it.
var spoken = sync.OnceValue(func() *stem.Table {
	return stem.NewTable(
		stem.Row{Means: corrects, Stems: `my previous,my earlier,my last,my prior,my first,i sent,we sent,i have sent,we have sent,our previous,
			our earlier,our last,our prior,previous email,previous e-mail,last email,previous message,earlier email,earlier message,previous mail,
			last message,earlier mail,prior email,prior message,email i,this email if,this message if,this notice if,this letter if,previous note,
			previous notice,previous invoice,previous version,first email,already paid,payment instruction,delivery instruction,wiring instruction,
			wire instruction,assembly,shipping instruction,on the box,on the packag,in the manual,manual.,parking,installation instruction,
			setup instruction,care instruction,voting instruction,instructions on page,assignment,homework,worksheet,instructions on the label,
			washing,cooking,recipe,dial-in,joining instruction,meeting link,emails about,emails regarding,emails concerning,mails about,
			if you have already,if you already,if you did not request,if you didn't request`},
		stem.Row{Means: corrects, Stems: `unsere vorherige,unserer vorherigen,unsere letzte,meine vorherige,meine letzte,meine e-mail,meine mail.,mon message,mon précédent,notre précédent,
			notre message,mon e-mail,mon courriel,mi correo,mi mensaje,nuestro correo,nuestro mensaje,mia mail,mia email,mia precedente,nostra precedente,
			meu e-mail,meu email,nosso e-mail,minha mensagem,mijn vorige,onze vorige,mitt förra,vårt förra,vårt tidigare,min tidligere,vores tidligere,
			vorherige e-mail,vorherigen e-mail,vorherige mail,vorherigen mail,vorherige nachricht,letzte e-mail,letzte mail,message précédent,e-mail précédent,
			mail précédent,courriel précédent,correo anterior,mensaje anterior,e-mail anterior,mail precedente,email precedente,messaggio precedente,mensagem anterior,vorige e-mail,
			vorige mail,vorig bericht,предыдущее письмо,прошлое письмо,上一封邮件,上封邮件,先ほどのメール,前回のメール,前のメール,이전 메일,이전 이메일,moją poprzedni,naszą poprzedni,мое предыдущее,моё предыдущее,наше предыдущее`},
		stem.Row{Means: terms, Stems: `unsubscrib,opt out,opt-out,preferences,receive.,receiving,monitored,must not,should not,may not,intended recipient,
			licens,facilitate,engage in any,agreement,warrant,prohibited,not permitted,strictly,never.`},
		stem.Row{Means: firm, Stems: `you must,must immediately,must now,you should,you need to,you have to,you are required,please,immediately,instead,agent must,
			assistant must,assistants must,assistant should,assistants should,must also,must include,i need you to,i want you to,i would like you to,your task is,
			your job is,your next action,your new task,you will now,you will be,before you answer,before answering,before you respond,before responding,
			before you continue,before continuing,before you finish,do the following first,mandatory,urgent`})
})

// amongPeople tells of a sentence that people say to each other, from what is spoken in it. Terms count only where
// nobody speaks to a model: an order to one may well say "never" and "strictly".
func amongPeople(text string, said, means stem.Set) bool {
	if said.Any(corrects) {
		return true
	}
	return said.Any(terms) && !means.Any(addressed|voice|model|prompt) && !setsAside(text)
}
