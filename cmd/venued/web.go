package main

import (
	"net/http"

	"github.com/venued/venued/sdk/web"
)

// handler is everything that the HTTP listener serves: the gateway under /v1/, the page at "/", the console under /admin.
func (h *host) handler() (http.Handler, error) {
	page, err := web.Handler()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	if h.gateway == nil {
		mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "this process owns regions and takes no connections of visitors: connect to one with the role gateway", http.StatusNotFound)
		})
		return mux, nil
	}
	mux.Handle("/v1/", h.gateway.Handler())
	mux.Handle("/", page)
	if h.console != nil {
		mux.Handle("/admin", h.console.Handler())
		mux.Handle("/admin/", h.console.Handler())
	}
	return mux, nil
}
