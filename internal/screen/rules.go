package screen

import "github.com/mailkin/mailkin/internal/lexicon"

// rule is a form of instruction to a model: a sentence that has one of each of the sets in all.
type rule struct {
	name      string
	points    int
	all       []lexicon.Set
	spares    bool // what people say to each other
	corrected bool // what people correct of what they said
	firm      bool // only as an order in plain words
	near      bool // the sentence before counts too
	insists   bool // it orders to carry out what is quoted
	fresh     bool // only from somebody whom the mailbox does not know
	hidden    bool // only in what nobody sees
	common    bool // its first set is
	unless    lexicon.Set
}

func (r *rule) applies(means, before lexicon.Set) bool {
	if means&r.all[0] == 0 {
		return false
	}
	if r.near {
		means |= before
	}
	for _, s := range r.all[1:] {
		if means&s == 0 {
			return false
		}
	}
	return means&r.unless == 0
}

// triggers are the first sets of all rules but those that begin with any deed, which many sentences have.
var triggers = func() (s lexicon.Set) {
	for i := range rules {
		if !rules[i].common {
			s |= rules[i].all[0]
		}
	}
	return s
}()

// triggered tells whether a rule may apply to a sentence.
func (r *reader) triggered(means lexicon.Set) bool {
	return means.Any(triggers) || means.Any(deeds) && (weight(r.layer) > 1 || (means|r.before).Any(addressed))
}

// all is for the rows of the table.
func all(sets ...lexicon.Set) []lexicon.Set { return sets }

// The table. The first set of a rule has to be in the sentence itself. Those of one point are no finding alone.
var rules = []rule{
	// Setting aside what the model was told.
	{name: "set aside instructions", points: 2, all: all(orders, ignore, prior), spares: true},
	{name: "set aside rules", points: 2, all: all(ground, ignore, prior, must|model|orders|only|becomes), spares: true},
	{name: "set aside safeguards", points: 2, all: all(guard, ignore|quietly, ignore|execute|must), spares: true},
	{name: "claim authority", points: 2, all: all(decree)},

	// Becoming somebody else.
	{name: "change the model's role", points: 2, all: all(persona, becomes), spares: true},
	{name: "change the model's role", points: 2, all: all(becomes, model, execute|send|ignore|quietly, must|shell)},
	{name: "address a model", points: 1, all: all(addressed)},
	{name: "order a model", points: 2, all: all(addressed, must|only|keepFrom|quietly|ignore|secret|mails|answer|user|
		prompt)},
	{name: "order a model", points: 2, all: all(send|execute|reveal|ignore|only, addressed, must), near: true,
		spares: true},
	{name: "order a model", points: 2, all: all(model, must, execute|send, quietly|shell|harm|outside), firm: true},
	{name: "order a model", points: 2, all: all(quietly|keepFrom, addressed), near: true},
	{name: ruleTag, points: 2, all: all(only|answer|mails|prompt|persona|quietly, voice, must), near: true, firm: true},
	{name: ruleTag, points: 2, all: all(voice, send, outside, must), firm: true},
	{name: ruleTag, points: 1, all: all(voice, must), firm: true},

	{name: "order a model", points: 2, all: all(deeds&^(reveal|ignore|only|send|execute), addressed, must), near: true,
		spares: true, common: true, unless: never},
	{name: "plant a memory", points: 2, all: all(memory)},

	// What no agent takes from mail, whoever is asked.
	{name: "set aside what was asked", points: 2, all: all(told, ignore), spares: true},
	{name: "send mail away", points: 2, all: all(posts, send, stranger, must), spares: true, fresh: true,
		unless: never},
	{name: "send mail away", points: 2, all: all(send, stranger, quietly|keepFrom|unchecked|consent,
		posts|mails|key|user), near: true, fresh: true, unless: never, spares: true},
	{name: "ask for a secret", points: 2, all: all(hither, key), fresh: true, unless: never, corrected: true},
	{name: "ask for a secret", points: 2, all: all(key, send, stranger, must), fresh: true, unless: never,
		spares: true},
	{name: "change bank details", points: 2, all: all(bank, change, must, number|newBank), fresh: true, unless: never},
	{name: "change bank details", points: 2, all: all(pays, must, bank, change|newBank), near: true, fresh: true,
		unless: never},
	{name: "change bank details", points: 2, all: all(newBank, must, bank, pays|change|number), fresh: true,
		unless: never},
	{name: "delete mail", points: 2, all: all(remove, mails, must), fresh: true, unless: never, spares: true},
	{name: "give credentials to a page", points: 2, all: all(enter, visit, outside, key, elsewhere|user), fresh: true,
		unless: never},
	{name: "approve for the user", points: 2, all: all(approves, user|quietly, must), fresh: true, unless: never,
		firm: true},
	{name: "change the mailbox's settings", points: 2, all: all(settings, must, change|acts|execute|ignore|send|remove),
		fresh: true, unless: never},
	{name: "look up and send away", points: 2, all: all(fetch, send, stranger, must), fresh: true, unless: never,
		spares: true},
	{name: "give access", points: 2, all: all(rights, approves|acts, must), fresh: true, unless: never, firm: true},
	{name: "pay quietly", points: 2, all: all(quietly|keepFrom, pays, must), near: true, fresh: true, unless: never,
		firm: true},
	{name: "avoid a check", points: 2, all: all(unchecked, pays|bank|newBank|gift|settings|approves|key|posts,
		pays|send|change|approves|acts|hither|newBank), near: true, fresh: true, unless: never, spares: true},
	{name: "change bank details", points: 2, all: all(pays, newBank, change, must), near: true, fresh: true,
		unless: never},
	{name: "change bank details", points: 2, all: all(pays|newBank|number|unchecked, newBank, pays|bank,
		number|unchecked), near: true, fresh: true, unless: never},
	{name: "pay quietly", points: 2, all: all(quietly|keepFrom|unchecked, pays), near: true, fresh: true,
		unless: never, spares: true},
	{name: "approve for the user", points: 2, all: all(hither, approves, pays), fresh: true, unless: never},
	{name: "change the mailbox's settings", points: 2, all: all(settings, stranger|quietly|keepFrom|unchecked),
		fresh: true, unless: never},
	{name: "give a new task", points: 2, all: all(newJob, deeds, risky|ignore)},
	{name: "give a new task", points: 2, all: all(newJob, ignore), near: true},
	{name: "speak for the user", points: 2, all: all(consent, deeds, risky), near: true, fresh: true, unless: never,
		spares: true},
	{name: "buy gift cards", points: 2, all: all(gift, must, send|execute|acts|pays), fresh: true, unless: never},
	{name: "hidden order", points: 1, all: all(send|pays|remove|change|approves|acts, must, stranger|number|mails|posts|
		user|bank), hidden: true, firm: true, common: true, unless: never},

	{name: "hidden order", points: 1, all: all(user, deeds), hidden: true, unless: never},

	// What the model was told.
	{name: "ask for the prompt", points: 2, all: all(prompt, reveal, must)},
	{name: "dictate the answer", points: 2, all: all(only, ignore|orders, must), spares: true, near: true},

	// Behind the user's back.
	{name: "keep it from the user", points: 2, all: all(keepFrom, user)},
	{name: "act without the user", points: 2, all: all(quietly, execute|send, must|shell|orders,
		secret|mails|outside|shell|user|harm|orders|guard|model), spares: true},

	// Taking things away.
	{name: "send secrets away", points: 2, all: all(secret, send, outside, must, mails|user|shell|quietly|model|harm|
		execute), spares: true},
	{name: "send mail away", points: 2, all: all(mails, send, outside, must), spares: true},
	{name: "send files away", points: 2, all: all(shell, send|outside, must|execute, secret|harm|guard), firm: true},
	{name: "run commands", points: 2, all: all(shell, execute|must, harm|guard|quietly|model), firm: true},
	{name: "run commands", points: 2, all: all(harm, execute, must, user|model|guard|quietly|secret), firm: true},
	{name: "carry out a quotation", points: 1, all: all(orders|shell, execute, must), insists: true, firm: true},

	// Steering what the model answers.
	{name: "steer the answer", points: 2, all: all(answer, steer, must)},
	{name: "steer the answer", points: 2, all: all(answer, include, content, must), spares: true},
	{name: "distort the answer", points: 2, all: all(form, answer, must)},
	{name: "dictate the answer", points: 2, all: all(answer, only, user|outside|secret)},
	{name: "dictate the answer", points: 2, all: all(answer, only, execute), firm: true},
	{name: "dictate the answer", points: 2, all: all(anyway), spares: true},
	{name: "dictate to a model", points: 1, all: all(only)},
}
