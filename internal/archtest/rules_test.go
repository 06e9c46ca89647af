package archtest

const module = "github.com/mailkin/mailkin/"

// layer is a set of packages with the same rule: what of this module they may import. Paths are inside the module; a
// path that ends in /... means everything under it.
type layer struct {
	packages []string
	may      []string
	stdOnly  bool // nothing from other modules either
	why      string
}

// edges speak a protocol or run a loop.
var edges = []string{
	"internal/httpapi", "internal/smtpd", "internal/console", "internal/webhook", "internal/janitor",
	"internal/door", "internal/door/...",
}

// pure turn bytes into knowledge: no storage, no network, no clock of their own.
var pure = []string{
	"internal/rfc822", "internal/rfc822/report", "internal/rfc822/compose",
	"internal/extract/...", "internal/screen", "internal/search", "internal/search/...",
	"internal/aggregate", "internal/htmlcheck",
	"internal/zone", // it asks the DNS through what it is given
}

var layers = []layer{
	{
		packages: []string{"internal/mailbox"},
		stdOnly:  true,
		why:      "the nouns are everybody's words; what they import, everybody imports",
	},
	{
		packages: []string{"internal/store"},
		may:      []string{"internal/mailbox"},
		stdOnly:  true,
		why:      "the storage contract knows no database",
	},
	{
		packages: []string{"internal/background"},
		stdOnly:  true,
		why:      "every loop may be watched",
	},
	{
		packages: []string{"internal/trace"},
		why:      "whoever takes a step of a mail's way may say so; it knows none of them",
	},
	{
		packages: []string{"internal/corpustest"},
		stdOnly:  true,
		why:      "it finds mail for tests of every layer",
	},
	{
		packages: []string{"internal/costtest"},
		why:      "it measures whatever it is given",
	},
	{
		packages: []string{"internal/view/viewtest"},
		stdOnly:  true,
		why:      "it reads tables for tests of every layer",
	},
	{
		packages: []string{"internal/store/blockcache"},
		may:      []string{"internal/mailbox"},
		why:      "it keeps bytes",
	},
	{
		packages: []string{"internal/store/rows"},
		may:      []string{"internal/store", "internal/mailbox"},
		stdOnly:  true,
		why:      "it is for every store that speaks SQL, so it knows no database",
	},
	{
		packages: []string{"internal/store/query"},
		may:      []string{"internal/store", "internal/store/rows", "internal/mailbox"},
		stdOnly:  true,
		why:      "it is for every store that speaks SQL, so it knows no database",
	},
	{
		packages: []string{"internal/store/sqlite", "internal/store/postgres"},
		may: []string{"internal/store", "internal/store/rows", "internal/store/query", "internal/store/blockcache",
			"internal/mailbox", "internal/wake", "internal/background"},
		why: "a store holds SQL and nothing else: a rule found there belongs in service",
	},
	{
		packages: []string{"internal/seal"},
		may:      []string{"internal/mailbox", "internal/datadir"},
		stdOnly:  true,
		why:      "keys are few lines that everybody who keeps mail relies on",
	},
	{
		packages: []string{"internal/store/sealed"},
		may: []string{"internal/store", "internal/store/rows", "internal/mailbox", "internal/seal",
			"internal/blob"},
		why: "encryption is the same for every store, so it stands between them and the service",
	},
	{
		packages: []string{"internal/store/storetest"},
		may:      []string{"internal/store", "internal/mailbox"},
		why:      "the suite is for every store, so it knows none of them",
	},
	{
		packages: []string{"internal/blob", "internal/wake", "internal/dns", "internal/dns/dnstest"},
		may:      []string{"internal/mailbox"},
		why:      "they are used by service and know nothing of it",
	},
	{
		packages: []string{"internal/spf"},
		stdOnly:  true,
		why:      "it reads a record for senders and receivers",
	},
	{
		packages: []string{"internal/sender", "internal/transport"},
		may:      []string{"internal/mailbox", "internal/dns", "internal/spf"},
		why:      "they ask the DNS about mail, and know nothing of what is done with the answer",
	},
	{
		packages: []string{"internal/openid"},
		may:      []string{"internal/mailbox"},
		why:      "it asks a provider who a person is, and knows nothing of what the person may do",
	},
	{
		packages: []string{"internal/scanner"},
		may:      []string{"internal/mailbox"},
		why:      "it speaks a scanner's protocol, and knows nothing of what is done with the answer",
	},
	{
		packages: []string{"internal/lexicon"},
		why:      "words are data for those that read mail, and know none of them",
	},
	{
		packages: []string{"internal/view"},
		why:      "what a person sees of HTML is decided here, for everybody",
	},
	{
		packages: pure,
		may: []string{"internal/mailbox", "internal/lexicon", "internal/view", "internal/rfc822",
			"internal/extract/...", "internal/spf"},
		why: "what reads mail is tested with bytes alone",
	},
	{
		packages: []string{"internal/rawmail"},
		may: []string{"internal/mailbox", "internal/store", "internal/blob", "internal/rfc822",
			"internal/rfc822/report", "internal/view", "internal/extract/alternative"},
		why: "the form in which mail is kept is the same for all that store it, show it and index it",
	},
	{
		packages: []string{"internal/index"},
		may: []string{"internal/mailbox", "internal/store", "internal/blob", "internal/rawmail", "internal/wake",
			"internal/background",
			"internal/search", "internal/search/...", "internal/extract/document", "internal/extract/reply",
			"internal/view"},
		why: "the index is derived from stored mail; who may search is the service's to say, so it knows neither " +
			"callers nor keys",
	},
	{
		packages: []string{"internal/catalogue"},
		may:      []string{"internal/mailbox"},
		stdOnly:  true,
		why:      "a list in memory, which knows neither where mail is stored nor who asks",
	},
	{
		packages: []string{"internal/service"},
		may: []string{"internal/mailbox", "internal/store", "internal/blob", "internal/rawmail", "internal/index",
			"internal/wake", "internal/sender", "internal/catalogue", "internal/aggregate", "internal/trace",
			"internal/background", "internal/rfc822", "internal/rfc822/...", "internal/view", "internal/extract/...",
			"internal/screen", "internal/zone", "internal/htmlcheck"},
		why: "the verbs know neither the protocols above nor the database below, nor how words are indexed",
	},
	{
		packages: []string{"internal/service/servicetest"},
		may: []string{"internal/service", "internal/mailbox", "internal/blob", "internal/store",
			"internal/store/sqlite"},
		why: "a service for tests",
	},
	{
		packages: []string{"internal/wire"},
		may: []string{"api", "internal/mailbox", "internal/extract/...", "internal/search", "internal/zone",
			"internal/htmlcheck"},
		why: "the JSON is made from nouns, and from names that rules give; it asks nothing itself",
	},
	{
		packages: []string{"internal/wire/draft"},
		may:      []string{"internal/mailbox"},
		why:      "the one JSON body that is too large to be held is read into a noun",
	},
	{
		packages: []string{"internal/outbound"},
		may: []string{"internal/mailbox", "internal/service", "internal/wire", "internal/transport",
			"internal/trace", "internal/background"},
		why: "the edge that carries mail out: what it may send, and to whom, it asks the service",
	},
	{
		packages: edges,
		may: []string{"api", "internal/mailbox", "internal/service", "internal/wire", "internal/wire/draft",
			"internal/trace", "internal/background", "internal/extract/record", "internal/door", "internal/download",
			"internal/catalogue", "internal/htmlcheck"},
		why: "an edge asks the service: through another edge or a store it would get round the rules",
	},
	{
		packages: []string{"internal/mcpserver"},
		may:      []string{"api", "client"},
		why:      "an agent's tools are a client like any other: they can do what /v1 lets them, and nothing else",
	},
	{
		packages: []string{"internal/store/postgres/pgtest", "internal/blob/s3test", "internal/acme/pebbletest",
			"internal/openid/openidtest", "internal/certtest"},
		may: []string{"internal/certtest"},
		why: "real servers for tests, and their certificates",
	},
	{
		packages: []string{"internal/datadir/datadirtest"},
		may: []string{"internal/datadir", "internal/config", "internal/mailbox", "internal/blob", "internal/store",
			"internal/store/sqlite"},
		why: "a data folder for tests",
	},
	{
		packages: []string{"internal/proxyproto", "internal/connlimit", "internal/parked", "internal/acme"},
		why:      "they stand between a listener and its edge, and know neither",
	},
	{
		packages: []string{"internal/download"},
		may:      []string{"internal/mailbox"},
		why:      "files of strangers are handed out in one way at every edge",
	},
	{
		packages: []string{"internal/config"},
		may:      []string{"internal/mailbox"},
		why:      "settings are plain values",
	},
	{
		packages: []string{"internal/datadir"},
		may:      []string{"internal/mailbox"},
		why:      "names in the data folder are the same for all that serve it, copy it or move it",
	},
	{
		packages: []string{"internal/backup/repository"},
		may:      []string{"internal/datadir", "internal/blob"},
		why:      "it keeps files, whatever they are",
	},
	{
		packages: []string{"internal/backup"},
		may: []string{"internal/config", "internal/datadir", "internal/mailbox", "internal/blob",
			"internal/backup/repository", "internal/seal", "internal/store/sqlite"},
		why: "a backup copies files and pages; what they mean is not its business, so no rule of the service is " +
			"in its way",
	},
	{
		packages: []string{"internal/move"},
		may: []string{"internal/config", "internal/datadir", "internal/mailbox", "internal/blob", "internal/service",
			"internal/acme",
			"internal/store/sqlite", "internal/store/postgres"},
		why: "the one place, besides app, that knows two stores: it copies rows from one to the other, and asks " +
			"service alone whose bucket it is",
	},
	{
		packages: []string{"internal/app/apptest"},
		may:      []string{"internal/app", "internal/config", "internal/mailbox"},
		why:      "a whole service for tests of what talks to one",
	},
	{
		packages: []string{"internal/app"},
		may:      []string{"internal/..."},
		why:      "the one place that puts everything together",
	},
	{
		packages: []string{"internal/archtest"},
		why:      "it reads the packages, it does not use them",
	},
	{
		packages: []string{"cmd/mailkin"},
		may: []string{"internal/app", "internal/backup", "internal/move", "internal/config", "internal/mailbox",
			"internal/mcpserver", "api", "client"},
		why: "a command starts the app or talks to it; what it does lives there",
	},
	{
		packages: []string{"sdk/generate"},
		may:      []string{"internal/httpapi"},
		why:      "what it writes for other languages follows from the description of the interface alone",
	},
	{
		packages: []string{"api"},
		stdOnly:  true,
		why:      "the JSON that service and client share is for other people's programs, and brings nothing with it",
	},
	{
		packages: []string{"client"},
		may:      []string{"api"},
		stdOnly:  true,
		why: "the client is for other people's programs: it knows the server by its JSON alone, and brings " +
			"nothing with it",
	},
	{
		packages: []string{"test", "test/browser"},
		why:      "black-box tests see what users see",
	},
}

// restriction is something that may be used only in named places: files, or folders with a slash at the end.
type restriction struct {
	uses []string // "package.Name"
	in   []string
	why  string
}

var restrictions = []restriction{
	{
		uses: []string{"os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv", "syscall.Getenv"},
		in: []string{"internal/config/", "cmd/mailkin/main.go",
			// which are for tests
			"internal/store/postgres/pgtest/", "internal/blob/s3test/", "internal/acme/pebbletest/",
			"internal/openid/openidtest/", "internal/corpustest/"},
		why: "settings are read once and in one place, or nobody can list them",
	},
	{
		uses: []string{"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln"},
		in:   []string{"cmd/mailkin/main.go", "sdk/generate/main.go"},
		why:  "an exit elsewhere skips the shutdown",
	},
	{
		uses: []string{"os/signal.Notify", "os/signal.NotifyContext"},
		in:   []string{"cmd/mailkin/main.go"},
		why:  "only the process has signals; everything else has a context",
	},
	{
		uses: []string{"log/slog.Default", "log/slog.SetDefault", "log.Print", "log.Printf", "log.Println"},
		why:  "code that logs was given a logger",
	},
}

// jsonTags is where struct tags for JSON may be.
var jsonTags = restriction{
	in: []string{"api/", "internal/wire/", "internal/door/", "internal/scanner/", "internal/aggregate/",
		"internal/openid/"},
	why: "the interface is a package or two that can be read, not tags all over the nouns; a scanner's is its " +
		"own, and so are those of reports between mail systems and of an OpenID provider",
}

// noInit is the rule that has no exceptions.
const noInit = "what happens at import time cannot be tested, ordered or left out"
