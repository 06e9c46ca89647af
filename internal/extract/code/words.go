package code

// kind is what a phrase says about the numbers around it.
type kind uint8

const (
	kindNone    kind = iota
	kindNeutral      // nothing; it is listed so that a shorter phrase in it does not count
	kindOTP          // names a verification code and nothing else
	kindCode         // names a code of some sort
	kindSecret       // names something secret that may be a code: password, token
	kindYours        // says whose a code is
	kindPurpose      // what a code is for: verify, sign in, access
	kindCue          // bids to use what follows: enter, use, below
	kindWarn         // bids not to pass the code on
	kindIntent       // what such mail says besides: expires, if it was not you
	kindOther        // names another number: order, phone, postcode, promo code
	kindOff          // tells that the mail is about something else: trip, sale, meeting
	kindRefer        // asks to bring friends in, who use a code for it
	kindPaper        // names in a subject what the mail is: a receipt, an invoice
	kindUnit         // follows a number that counts something: minutes, euros, people
)

// words are the phrases of a language, by kind, each list parted by commas. Case and accents do not matter. A phrase
// stands for whole words; a star at its end lets the last word go on, a star at its start lets the first one begin
// earlier (Finnish kirjautumiskoodi). Phrases in scripts that write no spaces match anywhere. A phrase after = is
// matched in capitals only, one after ^ only with its tilde.
type words struct {
	language string
	otp      string
	code     string
	secret   string
	yours    string
	purpose  string
	cue      string
	warn     string
	intent   string
	other    string
	off      string
	refer    string
	paper    string
	unit     string
	neutral  string
}

// lists are the phrase lists of w with their kinds.
func (w *words) lists() [14]struct {
	kind kind
	list string
} {
	return [14]struct {
		kind kind
		list string
	}{
		{kindNeutral, w.neutral}, {kindOTP, w.otp}, {kindCode, w.code}, {kindSecret, w.secret}, {kindYours, w.yours},
		{kindPurpose, w.purpose}, {kindCue, w.cue}, {kindWarn, w.warn}, {kindIntent, w.intent},
		{kindOther, w.other}, {kindOff, w.off}, {kindRefer, w.refer}, {kindPaper, w.paper},
		{kindUnit, w.unit},
	}
}

// allWords are the words of every language.
func allWords() [][]words {
	return [][]words{wordsEnglish, wordsGermanic, wordsRomance, wordsUralicBaltic, wordsSlavicLatin, wordsCyrillic,
		wordsTurkicCaucasian, wordsSemiticIranian, wordsIndic, wordsSoutheastAsian, wordsEastAsian, wordsElsewhere}
}
