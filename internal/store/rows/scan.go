package rows

import "github.com/mailkin/mailkin/internal/store"

// Each runs a statement and hands over its rows one by one.
type Each[R Row] func(scan func(R) error) error

// One reads the single row of a statement: store.ErrNotFound if there is none.
func (each Each[R]) One(scan func(R)) error {
	found := false
	err := each(func(r R) error {
		if !found {
			scan(r)
		}
		found = true
		return nil
	})
	if err == nil && !found {
		return store.ErrNotFound
	}
	return err
}

// All reads every row of a statement into a list.
func All[R Row, T any](each Each[R], scan func(R) T) (list []T, err error) {
	err = each(func(r R) error { list = append(list, scan(r)); return nil })
	return list, err
}

// One reads the single row of a statement: store.ErrNotFound if there is none.
func One[R Row, T any](each Each[R], scan func(R) T) (v T, err error) {
	err = each.One(func(r R) { v = scan(r) })
	return v, err
}

// OrZero reads the single row of a statement, and gives the zero value if there is none.
func OrZero[R Row, T any](each Each[R], scan func(R) T) (v T, err error) {
	err = each(func(r R) error { v = scan(r); return nil })
	return v, err
}
