package service

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The link in a notice names a review, the version of the message that the notice showed, and by a MAC the reviewer who
// got it. Nothing of it is stored. It is good as long as its reviewer is one of the mailbox, and decides as long as
// nobody has decided.

// ReviewPath is where the links of notices lead.
const ReviewPath = "/review"

const linkMAC = 18 // bytes of a MAC in a link

var errNoLink = mailbox.Errorf(mailbox.NotFound, "not_found", "This link leads to nothing any more: the message was "+
	"deleted, or you are no longer a reviewer of its mailbox. Nothing was decided.")

// reviewLink is where a reviewer decides about a message.
func (s *Service) reviewLink(r mailbox.Review, reviewer string) string {
	base := ""
	if s.opt.PublicURL != nil {
		base = s.opt.PublicURL()
	}
	return base + ReviewPath + "?token=" + linkToken(s.secrets().root, r.Message, r.Version, reviewer)
}

// linkToken is the secret of a link.
func linkToken(root mailbox.Secret, id mailbox.ID, version int64, reviewer string) string {
	named := binary.AppendUvarint(slices.Clone(id[:]), uint64(version))
	mac := derive(root, "review link", string(named), reviewer)
	return base64.RawURLEncoding.EncodeToString(append(named, mac[:linkMAC]...))
}

// readToken reads what a token names, without saying whether it is good.
func readToken(token string) (id mailbox.ID, version int64, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(b) <= len(id)+linkMAC || len(b) > len(id)+linkMAC+binary.MaxVarintLen64 {
		return id, 0, false
	}
	n, used := binary.Uvarint(b[len(id) : len(b)-linkMAC])
	copy(id[:], b)
	return id, int64(n), used == len(b)-linkMAC-len(id)
}

// reviewerAccess is leave for a person with a link to decide in a mailbox.
func reviewerAccess(box mailbox.Mailbox, reviewer string) Access {
	return Access{Act: Act{Need: mailbox.ReviewMail, Verb: "POST " + ReviewPath, Mailbox: box.Address}, Box: box,
		Caller: mailbox.Caller{Scope: mailbox.Permanent, Mailbox: box, Reviewer: reviewer}}
}

// openLink finds who follows a link, and where it leads.
func (s *Service) openLink(ctx context.Context, token string) (in Access, ref ReviewRef, err error) {
	id, version, ok := readToken(token)
	if !ok {
		return in, ref, errNoLink
	}
	var box mailbox.Mailbox
	err = s.view(ctx, func(r store.Reader) error {
		m, err := r.Message(ctx, 0, id)
		if err == nil {
			box, err = r.Mailbox(ctx, m.Mailbox)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoLink
	}
	if err != nil {
		return in, ref, err
	}
	for _, reviewer := range s.reviewers(box) {
		for _, root := range s.roots() {
			if hmac.Equal([]byte(token), []byte(linkToken(root, id, version, reviewer))) {
				return reviewerAccess(box, reviewer), ReviewRef{ID: id, Version: version}, nil
			}
		}
	}
	return in, ref, errNoLink
}

// LinkedReview is what a person sees who follows the link in a notice.
type LinkedReview struct {
	ReviewPage
	Noticed int64 // the version that the notice showed
}

// Open tells whether there is something to decide.
func (l LinkedReview) Open() bool { return l.Status == mailbox.ReviewHeld }

// ShowLinked shows the message that a link leads to. It decides nothing: links are opened by programs too.
func (s *Service) ShowLinked(ctx context.Context, token string) (out LinkedReview, err error) {
	in, ref, err := s.openLink(ctx, token)
	if err != nil {
		return out, err
	}
	out.Noticed = ref.Version
	out.ReviewPage, err = s.Review(ctx, in, ref.ID)
	if errors.Is(err, errNoReview) {
		err = errNoLink
	}
	return out, err
}

// LinkDecision is what a person decides with a link about the version of a message that they have seen.
type LinkDecision struct {
	Token   string
	Version int64
	Approve bool   // else it is rejected
	Reason  string // of a rejection
}

// LinkedDecision is what was decided.
type LinkedDecision struct {
	FullReview
	Already bool // before
}

// DecideLinked decides as the reviewer whose link it is. What was decided before stays, and is told.
func (s *Service) DecideLinked(ctx context.Context, d LinkDecision) (out LinkedDecision, err error) {
	in, ref, err := s.openLink(ctx, d.Token)
	if err == nil {
		err = s.roomForChange()
	}
	if err != nil {
		return out, err
	}
	err = s.view(ctx, func(r store.Reader) error {
		out.FullReview, _, err = s.openReview(ctx, r, in, ReviewRef{ID: ref.ID})
		return err
	})
	if out.Status != "" && out.Status != mailbox.ReviewHeld {
		out.Already = true
		return out, nil
	}
	ref.Version = d.Version
	if d.Approve {
		out.FullReview, err = s.Approve(ctx, in, ref)
	} else {
		out.FullReview, err = s.Reject(ctx, in, Rejection{ReviewRef: ref, Reason: d.Reason})
	}
	return out, err
}
