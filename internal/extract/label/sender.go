package label

import (
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// What an address can tell of who is behind it.
const (
	known         stem.Set = 1 << iota // it was looked at
	daemonSender                       // the mail system
	noReplySender                      // takes no answers
	noticeSender                       // sends notifications
	bulkSender                         // sends newsletters
	roleSender                         // an office, not a person
	freeSender                         // an address that anybody can have
)

// senders are the words of local parts, which are parted at dots, hyphens, underscores and plus signs.
var senders = sync.OnceValue(func() *stem.Table {
	return stem.NewTable(
		stem.Row{Means: daemonSender, Stems: "mailer daemon,mailerdaemon,mail daemon,maildaemon,postmaster.,post master.,mdaemon,mail delivery," +
			"microsoftexchange,mailer-daemon"},
		stem.Row{Means: noReplySender, Stems: "noreply,no reply,no replies,do not reply,donotreply,dont reply,dontreply,dnr.,not reply,nichtantworten," +
			"nicht antworten,keine antwort,keineantwort,nepasrepondre,ne pas repondre,noresponder,no responder," +
			"norespond,no respond,naoresponda,nao responda,naoresponder,nao responder,nonrispondere,non rispondere," +
			"nietbeantwoorden,niet beantwoorden,geenantwoord,ikkesvar,ikke svar,svarinte,svara inte,alavastaa," +
			"ala vastaa,nieodpowiadac,nie odpowiadac,neodpovidat,neodpovidejte,yanitlama,noreplay,unattended,bounce.," +
			"bounces.,autoreply,auto.,mailer.,automated,automatic,automailer,robot,system.,daemon."},
		stem.Row{Means: noticeSender, Stems: "notification,notify,notifier,notificacion,notificac,benachrichtigung,notifiche,powiadomien,uvedomlen," +
			"alert,alerts,alarm,notice,notices,reminder,receipt,receipts,billing,invoice,invoices,invoicing,rechnung," +
			"facturation,facturacion,factura,faktura,orders,order.,bestellung,commande,pedidos,pedido,ordini,shipping," +
			"shipment,ship confirm,versand,tracking,delivery,auto confirm,confirm,confirmation,bestaetigung," +
			"account update,security.,accountprotection,account security,verify,verification,login,signin,payments," +
			"payment.,statement,ticket,tickets,booking,bookings,reservation,reservations,jira,gitlab,github,jenkins," +
			"sentry,monitor,monitoring,nagios,zabbix,cron.,cronjob,root.,www data,apache.,backup,backups,build,builds," +
			"deploy,status.,dmarc,report.,reports,fbl,feedbackloop,prometheus,alertmanager,grafana,datadog,pagerduty,opsgenie," +
			"pingdom,spedizion,envios,entregas,livraison,expedition,verzending,bezorging,wysylk,przesylk,kargo,siparis," +
			"zamowieni,objednavk,zakaz,tilaukset,ordre.,ordrer,bestelling,fattur,facturen,factuur,faturamento,fatura," +
			"reservas,prenotazion,rezerwacj,rezervac"},
		stem.Row{Means: bulkSender, Stems: "newsletter,newsletters,news.,marketing,mailing,mailings,campaign,digest,deals,offers,promo,promotion," +
			"promotions,boletin,boletim,infolettre,nieuwsbrief,nyhetsbrev,rassylka,angebote,weekly,daily"},
		stem.Row{Means: roleSender, Stems: "hello.,hallo.,info,support,team,contact,kontakt,contacto,contato,service,services,store,shop,help," +
			"helpdesk,care.,customer,customers,kundenservice,kundendienst,admin,accounts,account.,mail.,email.," +
			"welcome,office,sales,membership,members,registration,community,webmaster,noc.,abuse,donotreply,sklep," +
			"butik,tienda,loja,boutique,negozio,ventas,verkauf,clientes,clienti,atendimento,assistenza,soporte,ayuda," +
			"klantenservice,kundtjanst,kundeservice,obsluga,cs.,termin,appointment,appuntament,citas,turnos,rdv.," +
			"afspraak,afspraken"},
	)
})

// freeDomains are where people have their own addresses.
var freeDomains = map[string]bool{
	"gmail.com": true, "googlemail.com": true, "outlook.com": true, "hotmail.com": true, "live.com": true, "yahoo.com": true,
	"icloud.com": true, "me.com": true, "aol.com": true, "gmx.de": true, "gmx.net": true, "web.de": true, "proton.me": true,
	"protonmail.com": true, "mail.ru": true, "yandex.ru": true, "qq.com": true, "163.com": true, "126.com": true, "naver.com": true,
	"orange.fr": true, "free.fr": true, "libero.it": true, "wp.pl": true, "seznam.cz": true, "t-online.de": true, "msn.com": true,
	"fastmail.com": true, "zoho.com": true, "hey.com": true,
}

// senderWords is what the words of a local part tell.
func senderWords(local string) stem.Set {
	const longest = 100
	var room [longest]byte
	words := room[:0]
	for i := 0; i < len(local) && i < longest; i++ {
		c := local[i]
		if strings.IndexByte("._-+=/", c) >= 0 {
			c = ' '
		}
		words = append(words, c)
	}
	return senders().In(string(words))
}

// relayed tells whether a program sent it, by an envelope sender that gathers bounces. Those of lists do so for people.
func (v *view) relayed() bool {
	local, _, _ := strings.Cut(v.EnvelopeFrom, "@")
	return local != "" && !v.listed() && senderWords(local).Any(noReplySender)
}

// sender is what the address of the From header tells.
func (v *view) sender() stem.Set {
	if v.who != 0 {
		return v.who
	}
	v.who = known
	local, domain := v.From, ""
	if at := strings.LastIndexByte(v.From, '@'); at >= 0 {
		local, domain = v.From[:at], strings.ToLower(v.From[at+1:])
	}
	v.who |= senderWords(local)
	if freeDomains[domain] {
		v.who |= freeSender
		v.who &^= roleSender | bulkSender
	}
	return v.who
}
