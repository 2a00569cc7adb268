// Package admin is a client of the operator's console of a running host: the API that host/console/openapi.yaml
// describes, and everything that the command line does to one.
//
// [Connect] makes a client of a console's address and a token. Its methods are generated, one for each operation of the
// document; [Fault] is what a console answers when it did not do what it was asked, as an error. [FollowLog] follows the log of a rule.
//
//	c, err := admin.Connect("http://127.0.0.1:7878", token)
//	answer, err := c.GetRulesWithResponse(ctx)
//	if err := admin.Answered(answer, err); err != nil { ... }
//	... answer.JSON200.Rules
//
// The token is sent with each request, so give an address with https wherever others could listen.
package admin

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi.yaml ../../host/console/openapi.yaml
//go:generate sh -c "sha256sum < ../../host/console/openapi.yaml | cut -d ' ' -f 1 > document.sha256"
