package app

import (
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/service"
)

// catchAll is how the settings say that mail for every address is taken; nil: it is not.
func catchAll(c config.CatchAll) *service.CatchAll {
	if !c.On {
		return nil
	}
	return &service.CatchAll{Messages: c.Messages, Age: c.Age}
}
