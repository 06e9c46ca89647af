package record

import (
	"strings"
	"sync"
)

// zoneRegions are the first parts of the names of the IANA database.
const zoneRegions = " Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian " +
	"Mexico Pacific US "

// ianaName returns the name of the IANA database for what a sender calls a time zone: the name itself, perhaps with a
// maker's path before it, or a name of Windows. It returns nothing for a name that nobody else knows.
func ianaName(tzid string) string {
	tzid = strings.Trim(tzid, `" `)
	switch strings.ToUpper(tzid) {
	case "UTC", "GMT", "Z", "ETC/UTC", "ETC/GMT", "GMT STANDARD TIME (UTC)", "TZONE://MICROSOFT/UTC",
		"COORDINATED UNIVERSAL TIME", "UCT", "ZULU":
		return "UTC"
	}
	if zone := windowsZones()[strings.ToLower(tzid)]; zone != "" {
		return zone
	}
	// QUIRK: /mozilla.org/20070129_1/Europe/Berlin, /freeassociation.sourceforge.net/Tzfile/Europe/Berlin
	parts := strings.Split(tzid, "/")
	for i := 0; i+1 < len(parts); i++ {
		if strings.Contains(zoneRegions, " "+parts[i]+" ") && parts[i] != "" {
			if name := strings.Join(parts[i:], "/"); isZoneName(parts[i+1:]) {
				return name
			}
		}
	}
	return ""
}

// isZoneName says whether the parts after the region look like places: Buenos_Aires, Port-au-Prince, GMT+1.
func isZoneName(parts []string) bool {
	for _, p := range parts {
		if len(p) < 2 || p[0] < 'A' || p[0] > 'Z' ||
			strings.Trim(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+-0123456789") != "" {
			return false
		}
		if p == strings.ToUpper(p) && !strings.HasPrefix(p, "GMT") {
			return false
		}
	}
	return len(parts) > 0 && len(parts) < 4
}

// windowsZones returns the IANA name for a name of Windows, in lower case. Outlook and Exchange write them.
var windowsZones = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for row := range strings.SplitSeq(windowsTable, "\n") {
		if windows, iana, ok := strings.Cut(row, "="); ok {
			zones[strings.ToLower(windows)+" standard time"] = iana
			zones[strings.ToLower(windows)] = iana
		}
	}
	return zones
})

// windowsTable is from the CLDR's list of the first city of each zone.
const windowsTable = `
Dateline=Etc/GMT+12
UTC-11=Etc/GMT+11
Aleutian=America/Adak
Hawaiian=Pacific/Honolulu
Marquesas=Pacific/Marquesas
Alaskan=America/Anchorage
Pacific=America/Los_Angeles
Pacific Time (US & Canada)=America/Los_Angeles
Pacific Standard Time (Mexico)=America/Tijuana
US Mountain=America/Phoenix
Arizona=America/Phoenix
Mountain=America/Denver
Mountain Time (US & Canada)=America/Denver
Mountain Standard Time (Mexico)=America/Mazatlan
Central America=America/Guatemala
Central=America/Chicago
Central Time (US & Canada)=America/Chicago
Central Standard Time (Mexico)=America/Mexico_City
Canada Central=America/Regina
SA Pacific=America/Bogota
Eastern=America/New_York
Eastern Time (US & Canada)=America/New_York
Eastern Standard Time (Mexico)=America/Cancun
US Eastern=America/Indianapolis
Haiti=America/Port-au-Prince
Cuba=America/Havana
Paraguay=America/Asuncion
Atlantic=America/Halifax
Atlantic Time (Canada)=America/Halifax
Venezuela=America/Caracas
Central Brazilian=America/Cuiaba
SA Western=America/La_Paz
Pacific SA=America/Santiago
Newfoundland=America/St_Johns
Tocantins=America/Araguaina
E. South America=America/Sao_Paulo
Brasilia=America/Sao_Paulo
SA Eastern=America/Cayenne
Argentina=America/Buenos_Aires
Greenland=America/Godthab
Montevideo=America/Montevideo
Magallanes=America/Punta_Arenas
Bahia=America/Bahia
UTC-02=Etc/GMT+2
Azores=Atlantic/Azores
Cape Verde=Atlantic/Cape_Verde
GMT=Europe/London
Greenwich=Atlantic/Reykjavik
Morocco=Africa/Casablanca
W. Europe=Europe/Berlin
Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna=Europe/Berlin
Central Europe=Europe/Budapest
Romance=Europe/Paris
Brussels, Copenhagen, Madrid, Paris=Europe/Paris
Central European=Europe/Warsaw
W. Central Africa=Africa/Lagos
Jordan=Asia/Amman
GTB=Europe/Bucharest
Middle East=Asia/Beirut
Egypt=Africa/Cairo
E. Europe=Europe/Chisinau
Syria=Asia/Damascus
West Bank=Asia/Hebron
South Africa=Africa/Johannesburg
FLE=Europe/Kiev
Israel=Asia/Jerusalem
Kaliningrad=Europe/Kaliningrad
Sudan=Africa/Khartoum
Libya=Africa/Tripoli
Namibia=Africa/Windhoek
Arabic=Asia/Baghdad
Turkey=Europe/Istanbul
Arab=Asia/Riyadh
Belarus=Europe/Minsk
Russian=Europe/Moscow
E. Africa=Africa/Nairobi
Iran=Asia/Tehran
Arabian=Asia/Dubai
Astrakhan=Europe/Astrakhan
Azerbaijan=Asia/Baku
Russia Time Zone 3=Europe/Samara
Mauritius=Indian/Mauritius
Georgian=Asia/Tbilisi
Volgograd=Europe/Volgograd
Caucasus=Asia/Yerevan
Afghanistan=Asia/Kabul
West Asia=Asia/Tashkent
Ekaterinburg=Asia/Yekaterinburg
Pakistan=Asia/Karachi
India=Asia/Kolkata
Chennai, Kolkata, Mumbai, New Delhi=Asia/Kolkata
Sri Lanka=Asia/Colombo
Nepal=Asia/Katmandu
Central Asia=Asia/Almaty
Bangladesh=Asia/Dhaka
Omsk=Asia/Omsk
Myanmar=Asia/Rangoon
SE Asia=Asia/Bangkok
Altai=Asia/Barnaul
N. Central Asia=Asia/Novosibirsk
North Asia=Asia/Krasnoyarsk
Tomsk=Asia/Tomsk
China=Asia/Shanghai
Beijing, Chongqing, Hong Kong, Urumqi=Asia/Shanghai
North Asia East=Asia/Irkutsk
Singapore=Asia/Singapore
W. Australia=Australia/Perth
Taipei=Asia/Taipei
Ulaanbaatar=Asia/Ulaanbaatar
Aus Central W.=Australia/Eucla
Transbaikal=Asia/Chita
Tokyo=Asia/Tokyo
Osaka, Sapporo, Tokyo=Asia/Tokyo
Korea=Asia/Seoul
Yakutsk=Asia/Yakutsk
Cen. Australia=Australia/Adelaide
AUS Central=Australia/Darwin
E. Australia=Australia/Brisbane
AUS Eastern=Australia/Sydney
Canberra, Melbourne, Sydney=Australia/Sydney
West Pacific=Pacific/Port_Moresby
Tasmania=Australia/Hobart
Vladivostok=Asia/Vladivostok
Lord Howe=Australia/Lord_Howe
Bougainville=Pacific/Bougainville
Russia Time Zone 10=Asia/Srednekolymsk
Magadan=Asia/Magadan
Norfolk=Pacific/Norfolk
Sakhalin=Asia/Sakhalin
Central Pacific=Pacific/Guadalcanal
Russia Time Zone 11=Asia/Kamchatka
New Zealand=Pacific/Auckland
UTC+12=Etc/GMT-12
Fiji=Pacific/Fiji
Chatham Islands=Pacific/Chatham
UTC+13=Etc/GMT-13
Tonga=Pacific/Tongatapu
Samoa=Pacific/Apia
Line Islands=Pacific/Kiritimati`
