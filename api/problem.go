package api

// Problem is something about the deployment that its operator should do something about.
type Problem struct {
	Check  string `json:"check"`
	Status string `json:"status"` // fail: mail does not come or go because of it; else warn
	Found  string `json:"found"`
	Next   string `json:"next"` // what to do
}

// Problems are all that the service knows of itself.
type Problems struct {
	Problems []Problem `json:"problems"`
}
