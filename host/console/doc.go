// Package console is the operator's view of a venue: an API and a web page under /admin.
//
// # Model
//
//	regions' records (bus) --> floor map --+
//	gateway, node, once a second --> lists --+--> GET, server-sent events --> page, scripts
//	the process's log --> tail ------------+
//	POST --> gateway (kick), regions over the bus (reset), rulebook (uploads, activation, rollback)
//
// The console is one more reader of the regions' streams: it asks nothing of them that
// gateways do not. openapi.yaml describes the API and is its source: types_gen.go is made from it, and a test
// holds every route and answer against it. The page (ui) is Preact; dist holds it as it is built and embedded.
//
// # Bounds
//
// The map goes out about ten times a second, only what changed, as one message for all who look. A reader whose queue
// is full is closed; there are at most 16, readers of a rule's log included. The log tail holds 500 lines of at most 4 KiB, and 200 of each rule, the series
// ten minutes. Clients are asked for once a second, however many look.
//
// # Trust
//
// Whoever has the admin token may do everything here; the token of a rule key opens the operations under /rules alone, where package rulebook says
// what its holder may. Wrong tokens are counted by address. Sessions live in memory: a
// restart ends them. Everything that visitors and plugins wrote (names, labels, log lines) is data: it
// goes out as JSON and the page shows it as text. The console must not be reached over plain HTTP from other machines:
// put TLS before it.
package console

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi.yaml openapi.yaml
