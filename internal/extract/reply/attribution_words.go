package reply

// verbsLatin say that somebody wrote something, as the last word of the verb.
const verbsLatin = `wrote,writes,
schrieb,schreibt,geschrieben,
écrit,écrivit,écrivait,ecrit,
escribió,escribio,escribe,escrito,
escreveu,escreve,
scritto,scrive,scrisse,
schreef,geschreven,schrijft,
skrev,skriver,skrifaði,skreiv,
kirjoitti,kirjutas,kirjutab,
napisał,napisała,napisali,pisze,pisał,
napsal,napsala,píše,napisal,
napísal,napísala,
napisao,napisala,napisali,piše,
írta,
scris,
yazdı,yazdi,yazmış,yazıb,
rašė,parašė,
rakstīja,
escriure,escrit,
escribiu,
idatzi,
menulis,
viết,
sumulat,isinulat,
shkroi,ha shkruar,
aliandika,
geskryf,
ysgrifennodd,
scríobh,
skribis`

// verbsOther are the same in other scripts.
const verbsOther = `написал,написала,написали,пишет,писал,писала,писали,
написав,писав,пише,
написа,пиша,
пишува,
напісаў,піша,
жазды,ёзди,бичсэн,
έγραψε,
כתב,כתבה,
كتب,كتبت,كتابة,
نوشت,نوشته,
لکھا,
लिखा,लिहिले,लेख्नुभयो,
লিখেছেন,
எழுதியது,எழுதினார்,
రాశారు,
લખ્યું,
ಬರೆದಿದ್ದಾರೆ,
എഴുതി,
ਲਿਖਿਆ,
գրել,
დაწერა`

// verbsWithin are verbs of scripts that put no space before them.
var verbsWithin = []string{"写道", "寫道", "写了", "写到", "のメール", "のメッセージ", "書きました", "書いた", "작성", "님이", "썼습니다", "쓴 글", "เขียน", "បានសរសេរ", "ရေးသားခဲ့သည်"}

// openers are the words that attributions begin with.
const openers = `on,at,in,
am,an,zitat,
le,la,selon,
el,en,citando,missatge,
em,no,a,o,
il,lo,
op,
den,kl,þann,
w,dnia,wiadomość,dne,dňa,dana,v,u,
în,
kuupäev,
vào,lúc,pada,noong,
quoting,quote,citation,
в,у,на,дана,
στις,
בתאריך,ב,
في,بتاريخ,
در,
ในวันที่,เมื่อ`

// openersWithin are openers of scripts that put no space after them.
var openersWithin = []string{"在", "於", "于", "ใน", "เมื่อ"}
