package record

import "strings"

// event reads an Event.
func (r *schema) event(n *node) {
	c := Calendar{Title: n.text("name", "description"), Location: place(n.all("location")), UID: n.text("identifier")}
	c.Organizer = personOf(n.all("organizer", "performer"))
	c.Attendees = people(n.all("attendee", "attendees"))
	if cancelled(n.text("eventStatus")) {
		c.Method = "CANCEL"
	}
	r.calendar(c, r.moment(n, "startDate", "startTime", "departureTime", "doorTime"), r.moment(n, "endDate", "endTime",
		"arrivalTime"))
}

func cancelled(status string) bool { return strings.Contains(strings.ToLower(plain(status)), "cancel") }

// reservation reads a reservation of any kind: what it is for says what it is called, where it is and when.
func (r *schema) reservation(n *node) {
	c := Calendar{UID: n.text("reservationNumber", "reservationId", "confirmationNumber", "bookingReference")}
	c.Attendees = people(n.all("underName"))
	if len(c.Attendees) == 0 {
		c.Attendees = people(n.node("reservedTicket").all("underName"))
	}
	c.Organizer = personOf(n.all("provider", "broker", "bookingAgent", "programMembershipUsed"))
	if cancelled(n.text("reservationStatus", "bookingStatus")) {
		c.Method = "CANCEL"
	}
	thing := n.node("reservationFor")
	if thing == nil {
		thing = &node{}
	}
	r.around = n
	start, end := r.span(n, thing)
	c.Title, c.Location = reservationTitle(n, thing)
	if c.Organizer == (Person{}) {
		c.Organizer = personOf(thing.all("organizer", "provider", "airline", "rentalCompany"))
	}
	r.calendar(c, start, end)
}

// span returns from when to when a reservation is.
func (r *schema) span(n, thing *node) (start, end moment) {
	start = r.moment(thing, "departureTime", "startDate", "departureDay", "departureDate", "startTime", "boardingTime")
	end = r.moment(thing, "arrivalTime", "endDate", "endTime")
	if !start.known() {
		start = r.moment(n, "checkinTime", "checkinDate", "pickupTime", "startTime", "startDate", "departureTime",
			"reservationTime")
	}
	if !end.known() {
		end = r.moment(n, "checkoutTime", "checkoutDate", "dropoffTime", "endTime", "endDate", "arrivalTime")
	}
	return start, end
}

// reservationTitle returns what a reservation is called and where it begins.
func reservationTitle(n, thing *node) (title, location string) {
	from, to := "", ""
	for _, stop := range []string{"Airport", "Station", "BusStop", "BoatTerminal", "Terminal"} {
		from = either(from, place(thing.all("departure"+stop)))
		to = either(to, place(thing.all("arrival"+stop)))
	}
	number := squeeze(thing.text("trainName", "busName") + " " + either(thing.text("trainNumber"),
		thing.text("busNumber"), flightNumber(thing)))
	if from != "" || to != "" {
		title = either(number, thing.text("name"), strings.TrimSuffix(either(n.types...), "Reservation"))
		if from != "" && to != "" {
			title = squeeze(title + " " + stopName(from) + " → " + stopName(to))
		}
		return title, from
	}
	location = place(thing.all("location"))
	if location == "" {
		location = place(n.all("pickupLocation"))
	}
	if location == "" && thing.all("address") != nil {
		location = place([]content{{node: thing}})
	}
	title = either(thing.text("name"), number, n.text("name", "description"), strings.TrimSuffix(either(n.types...),
		"Reservation"))
	return title, location
}

// flightNumber returns the number of a flight with the airline's letters.
func flightNumber(n *node) string {
	number := n.text("flightNumber", "iataCode")
	code := n.node("airline", "provider", "carrier").text("iataCode")
	if code == "" || number == "" || isAlpha(number[0]) {
		return number
	}
	return code + " " + number
}

// stopName returns a stop without its address.
func stopName(s string) string {
	name, _, _ := strings.Cut(s, ", ")
	return name
}

// place returns a place in one line: its name and its address.
func place(values []content) string {
	for _, v := range values {
		if v.node == nil {
			if s := squeeze(v.text); s != "" {
				return s
			}
			continue
		}
		n := v.node
		name := n.text("name")
		if code := n.text("iataCode"); code != "" {
			name = squeeze(name + " (" + code + ")")
		}
		address := addressOf(n)
		if s := joined(name, address); s != "" {
			return s
		}
		if url := n.text("url"); url != "" {
			return url
		}
	}
	return ""
}

// addressOf returns a postal address in one line.
func addressOf(n *node) string {
	if a := n.node("address"); a != nil {
		n = a
	} else if text := n.text("address"); text != "" {
		return text
	}
	return joined(n.text("streetAddress"), n.text("addressLocality"), n.text("addressRegion"), n.text("postalCode"),
		n.text("addressCountry"))
}

// joined joins the parts that are there.
func joined(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p = strings.Trim(p, " ,"); p != "" && (len(list) == 0 || list[len(list)-1] != p) {
			list = append(list, p)
		}
	}
	return strings.Join(list, ", ")
}

// maxPeople is how many attendees are given.
const maxPeople = 200

func people(values []content) []Person {
	var list []Person
	for _, v := range values {
		p := Person{Name: v.String()}
		if v.node != nil {
			p.Address = strings.TrimPrefix(v.node.text("email"), "mailto:")
		}
		if p.Name == p.Address {
			p.Name = ""
		}
		if p != (Person{}) && len(list) < maxPeople {
			list = append(list, p)
		}
	}
	return list
}

func personOf(values []content) Person {
	if list := people(values); len(list) > 0 {
		return list[0]
	}
	return Person{}
}

// calendar adds an entry, if its day is known.
func (r *schema) calendar(c Calendar, start, end moment) {
	if start.date() == "" || len(r.found.Calendars) >= maxFound {
		return
	}
	c.Source, c.Confidence = r.source, r.confidence
	c.Date, c.Time, c.Timezone = start.date(), start.clock(), start.zone
	c.End = start.until(end)
	if c.Title == "" {
		c.Title, c.Confidence = r.scene.mail.Subject, lower(c.Confidence)
	}
	for i := range r.found.Calendars { // another passenger on the same journey
		if have := &r.found.Calendars[i]; have.Title == c.Title && have.Date == c.Date && have.Time == c.Time &&
			have.UID == c.UID {
			have.Attendees = append(have.Attendees, c.Attendees...)
			return
		}
	}
	r.found.Calendars = append(r.found.Calendars, c)
}
