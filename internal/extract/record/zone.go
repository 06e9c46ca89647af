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
	for _, row := range pairs(zoneTable) {
		windows, iana := strings.ToLower(row[0]), row[1]
		zones[windows+" standard time"], zones[windows] = iana, iana
	}
	return zones
})
