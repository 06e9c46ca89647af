package httpapi

// OpenAPI is the description of the interface, with {base} in place of the deployment's own address.
func OpenAPI() (string, error) {
	doc, err := newDocument(routes)
	if err != nil {
		return "", err
	}
	return encodeDocument(doc)
}
