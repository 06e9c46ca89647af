// Package record reads orders, receipts, parcels and appointments out of mail.
//
// A mail can say the same thing in four ways, and they are believed in this order:
//
//   - calendar parts (ICS), which are meant for programs;
//   - JSON-LD and microdata in the HTML, in the words of schema.org. Senders test it with one reader or with none, so
//     ours takes what is broken: comments, missing and spare commas, single quotes, two documents in one block;
//   - the text itself, in thirty-six languages. Phrases (order number, Bestellnummer, 注文番号) are the labels, what
//     stands after, below or in the same column is the value, and each thing found is a point for the record.
//     A record with too few points is not given: a newsletter full of prices is no order.
//
// How a mail is read:
//
//	Calendars ─► components, time zones ─► Calendar
//	HTML ─┬► JSON-LD blocks ─► nodes ─┬► Order, Receipt, Shipping, Calendar
//	      ├► microdata      ─► nodes ─┘
//	      └► lines and links ─► phrases ─┬► the same four, by points
//	Text ──► lines ─────────► phrases ───┘
//
// What the text says fills in what the markup leaves out, and never contradicts it.
//
// Tracking numbers are told apart by the carriers' formats and check digits, amounts by their currency and by how the
// mail writes numbers, dates by their language and, where 03/04 could be either, by what else the mail says.
//
// Everything is bounded: how much is read, how deep it nests, how much is given. Find is a pure function, and its time
// is linear in the size of the mail.
package record
