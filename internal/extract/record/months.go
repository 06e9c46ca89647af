package record

import (
	"strings"
	"sync"
)

// months gives the number of a month by its name, folded.
var months = sync.OnceValue(func() map[string]int {
	table := map[string]int{}
	for i, names := range monthNames {
		for name := range strings.FieldsSeq(names) {
			table[fold(name)] = i + 1
		}
	}
	return table
})

// monthNames are the names of each month and their short forms, in the order: Germanic, Romance, Slavic, Baltic, Uralic,
// Turkish, Greek, Indonesian, Arabic, Hebrew, Thai, Hindi.
var monthNames = [12]string{
	`january jan januar januari jänner jaenner jän janvier janv enero ene gennaio gen janeiro janv ianuarie ian gener stycznia styczeń sty ledna leden led januára január января январь янв січня січень січ януари яну siječnja siječanj sausio sausis saus janvāris janvārī janvāra jaanuar jaanuaril tammikuuta tammikuu tammi janúar ocak oca ιανουαρίου ιανουάριος ιαν januari يناير كانون ינואר בינואר มกราคม ม.ค जनवरी`,
	`february feb februar februari febrero febbraio febr février févr fév fevereiro fev februarie febrer lutego luty lut února únor úno februára február февраля февраль фев лютого лютий лют февруари veljače veljača vasario vasaris vas februāris februārī februāra veebruar veebruaril veebr helmikuuta helmikuu helmi şubat şub φεβρουαρίου φεβρουάριος φεβ februari فبراير شباط פברואר בפברואר กุมภาพันธ์ ก.พ फरवरी फ़रवरी`,
	`march mar märz maerz mär mrz maart mrt mars marts marzo março martie març marca marzec března březen bře марта март мар березня березень бер ožujka ožujak kovo kovas marts martā marta märts märtsil maaliskuuta maaliskuu maalis március márc mart μαρτίου μάρτιος μαρ maret مارس آذار מרץ במרץ มีนาคม มี.ค मार्च`,
	`april apr avril avr abril abr aprile aprilie kwietnia kwiecień kwi dubna duben dub apríla apríl апреля апрель апр квітня квітень квіт кві април travnja travanj balandžio balandis bal aprīlis aprīlī aprīļa aprill aprillil huhtikuuta huhtikuu huhti április ápr nisan nis απριλίου απρίλιος απρ أبريل ابريل نيسان אפריל באפריל เมษายน เม.ย अप्रैल`,
	`may mai mei maj maja mayo maggio mag maio maig května květen kvě мая май травня травень трав тра svibnja svibanj gegužės gegužė geg maijs maijā maija toukokuuta toukokuu touko május máj mayıs may μαΐου μάιος μαϊ mei مايو أيار מאי במאי พฤษภาคม พ.ค मई maí`,
	`june jun juni juin junio giugno giu junho iunie iun juny czerwca czerwiec cze června červen čvn června cvn июня июнь июн червня червень черв чер юни lipnja lipanj birželio birželis birž jūnijs jūnijā jūnija juuni juunil kesäkuuta kesäkuu kesä június jún haziran haz ιουνίου ιούνιος ιουν يونيو حزيران יוני ביוני มิถุนายน มิ.ย जून júní júna`,
	`july jul juli juillet juil julio luglio lug julho iulie iul juliol lipca lipiec lip července červenec čvc июля июль июл липня липень лип юли srpnja srpanj liepos liepa liep jūlijs jūlijā jūlija juuli juulil heinäkuuta heinäkuu heinä július júl temmuz tem ιουλίου ιούλιος ιουλ يوليو تموز יולי ביולי กรกฎาคม ก.ค जुलाई júlí júla`,
	`august aug augustus août aout agosto ago agost augusti sierpnia sierpień sie srpna srpen srp augusta августа август авг серпня серпень серп kolovoza kolovoz rugpjūčio rugpjūtis rugpj augusts augustā augustil elokuuta elokuu elo augusztus ağustos ağu αυγούστου αύγουστος αυγ agustus agu أغسطس اغسطس آب אוגוסט באוגוסט สิงหาคม ส.ค अगस्त ágúst`,
	`september sep sept septembre septiembre setiembre settembre set setembro septembrie setembre września wrzesień wrz září zář zari septembra сентября сентябрь сен сент вересня вересень вер септември rujna rujan rugsėjo rugsėjis rugs septembris septembrī septembril syyskuuta syyskuu syys szeptember szept eylül eyl σεπτεμβρίου σεπτέμβριος σεπ سبتمبر أيلول ספטמבר בספטמבר กันยายน ก.ย सितंबर सितम्बर`,
	`october oct oktober okt octobre octubre ottobre ott outubro out octombrie octubre października październik paź října říjen říj rij októbra október октября октябрь окт жовтня жовтень жовт жов октомври spalio spalis spal oktobris oktobrī oktoober oktoobril lokakuuta lokakuu loka október ekim eki οκτωβρίου οκτώβριος οκτ أكتوبر اكتوبر تشرين אוקטובר באוקטובר ตุลาคม ต.ค अक्टूबर`,
	`november nov novembre noviembre novembro noiembrie noi novembre listopad lis listopadu listopada novembra ноября ноябрь ноя нояб листопада листопад лист ноември studenoga studenog studeni lapkričio lapkritis lapkr novembris novembrī novembril marraskuuta marraskuu marras november kasım kas νοεμβρίου νοέμβριος νοε نوفمبر נובמבר בנובמבר พฤศจิกายน พ.ย नवंबर नवम्बर nóvember`,
	`december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des decembrie desembre grudnia grudzień gru prosince prosinec pro decembra декабря декабрь дек грудня грудень груд декември prosinca prosinac gruodžio gruodis gruodž decembris decembrī detsember detsembril dets joulukuuta joulukuu joulu december aralık ara δεκεμβρίου δεκέμβριος δεκ desember ديسمبر كانون דצמבר בדצמבר ธันวาคม ธ.ค दिसंबर दिसम्बर`,
}

// weakMonths are short forms that are also words of some language. They count with a year alone.
const weakMonths = " out set pro mag gen lis des led bal ara kas tem elo dub gru noi sie ian tra cze lip eki lug loka vas may. pas lut "

func isWeakMonth(word string) bool { return strings.Contains(weakMonths, " "+word+" ") }

// fillers are the words that stand between the parts of a date.
var fillers = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`. , - / ' de of d del den der the st nd rd th er ere ème º ª do da no m g го ого ta a e o di en l of, al dia tháng`) {
		set[fold(word)] = true
	}
	return set
})
