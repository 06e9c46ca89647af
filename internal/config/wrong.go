package config

// SettingError is a value that is found to be wrong only when it is used. Another start with it ends in the same way,
// unlike one that fails because something outside does not answer.
type SettingError struct {
	Key string
	Err error
}

func (e *SettingError) Error() string { return "setting " + e.Key + ": " + e.Err.Error() }

func (e *SettingError) Unwrap() error { return e.Err }
