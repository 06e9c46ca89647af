package code

import (
	"strings"
	"testing"
)

// A phrase that names a code in one list and something else in another would mean nothing.
func TestWordsAgree(t *testing.T) {
	names := map[string]map[kinds]bool{}
	for _, p := range section().Phrases() {
		k := kinds(p.Value.Means)
		if !k.any(naming | setOf(kindPurpose, kindNeutral, kindYours)) {
			continue
		}
		if names[p.Text] == nil {
			names[p.Text] = map[kinds]bool{}
		}
		names[p.Text][k] = true
	}
	for text, ks := range names {
		if len(ks) > 1 {
			t.Errorf("%q is of several kinds: %v", text, ks)
		}
	}
}

// Accents are folded away, so a word of one language can look like a small word of another: thẻ, a card, like the.
func TestSmallWordsAreFree(t *testing.T) {
	small := `the a an any all and or of to in on at by for from with is are was were be been it its this that these those i you he she we they
		my your his her our their me us them do does did not can could will would should may might must have has had get got let make
		take go come see look know think want need try ask tell give work feel become leave put mean keep begin show hear play
		run move live believe bring happen write sit stand lose pay meet set learn change lead understand watch follow stop create speak read
		spend grow open walk win offer remember love consider appear buy wait serve die send expect stay fall cut reach kill remain
		about after again also always another because before between both but each even every few first her here how if into just last
		like long many more most much new next now only other out over own place same some such than their then there through
		time too two under up very well what when where which while who why work world
		der die das ein eine und oder nicht ist sind war ich du er sie es wir ihr mein dein sein auf aus bei mit nach von zu zum zur
		für um am im an als auch aber noch nur schon so wie was wer wo wenn dann dass hat haben wird werden kann können muss mal alle sehr
		le la les un une des du de et ou ne pas que qui dans sur pour par avec sans sous est sont été être avoir fait plus moins très bien
		mais si comme tout tous cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur
		el los las una unos y o no de del al en con por para sin su sus mi mis tu tus es son ser fue más muy pero como todo esta este
		estos que cuando donde si ya hay ha han
		il lo gli uno di da del della che e è sono non con per tra fra come più ma anche se si ci mi ti
		o os as um uma do da dos das no na nos nas em com por para sem seu sua meu minha é são não mais mas como já foi ser ter
		de het een en van te dat die in is op aan met als voor er maar om dan zou of wat mijn uw je jouw zijn naar bij ook tot door
		och att det som en på är av för med den till inte om ett han men var jag
		i w z na do nie się jest to że po od za przez dla co jak ale czy jego jej tym kod`
	ph := allPhrases()
	for w := range strings.FieldsSeq(small) {
		text := []byte(foldPhrase(w) + " ")
		if n, ks := longestFrom(ph.Starts, ph.starts.Node(text[0], text[1]), text, 2); n == len(text)-1 &&
			ks.any(setOf(kindOTP, kindSecret, kindOther, kindPurpose, kindUnit)) {
			t.Errorf("%q is a label of kinds %b", w, ks)
		}
	}
}
