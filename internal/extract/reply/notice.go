package reply

import "strings"

// dropNotices drops the legal notices and footers at the end, and returns the length of what is left.
func dropNotices(ls []line) int {
	end := trimmed(ls)
	for end > 0 {
		from, size := end, 0
		for from > 0 && !ls[from-1].blank() && ls[from-1].kind == own {
			from--
			size += len(ls[from].body)
		}
		if from == end || !isNotice(ls[from:end], size) {
			break
		}
		drop(ls[from:end])
		end = trimmed(ls[:from])
		if end > 1 && ls[end-2].blank() && isNoticeTitle(ls[end-1].body) {
			drop(ls[end-1 : end])
			end = trimmed(ls[:end-1])
		}
	}
	return end
}

func isNoticeTitle(body string) bool {
	if len(body) > maxSeparator {
		return false
	}
	title, _ := separatorWords(body)
	return is(title, noticeTitle)
}

// dropBanner drops the warning that a gateway has put above a mail, if something stands below it.
func dropBanner(ls []line) {
	const most = 600 // bytes
	to := 0
	var b strings.Builder
	for to < len(ls) && !ls[to].blank() && ls[to].kind == own && b.Len() <= most {
		b.WriteString(ls[to].body)
		b.WriteByte(' ')
		to++
	}
	if b.Len() > most || to == trimmed(ls) {
		return
	}
	if text := b.String(); is(firstWord(text), warning) && parts().In(text).Has(fromOutside|dangers) {
		drop(ls[:to])
	}
}

// isNotice says whether a paragraph is a legal notice or a footer.
func isNotice(ls []line, size int) bool {
	const least, most, mostFooter = 25, 6000, 480
	if size < least || size > most {
		return false
	}
	var b strings.Builder
	for i := range ls {
		b.WriteString(ls[i].body)
		b.WriteByte(' ')
	}
	text := b.String()
	const several = 3
	return size < mostFooter && hasPart(text, footer) || words().Count(text, notice, several) == several
}
