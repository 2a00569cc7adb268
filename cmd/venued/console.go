package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/console"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/host/store"
)

// startConsole opens the operator's console on a bus connection of its own.
func (h *host) startConsole(ctx context.Context, events *bus.Server, book *rulebook.Book, s store.Store, tail *console.Tail, version string) error {
	token, err := h.adminToken()
	if err != nil {
		return err
	}
	keys, err := h.keyTokens(token)
	if err != nil {
		return err
	}
	conn, err := events.Connect("console")
	if err != nil {
		return err
	}
	h.onStop("console's bus", func(context.Context) error { conn.Close(); return nil })
	h.console, err = console.New(console.Config{
		Settings: h.cfg, Bus: conn, Node: h.node, Gateway: h.gateway, Book: book, Store: s, Recordings: h.recordings,
		Token: token, Keys: keys, Tail: tail, Version: version, Log: h.log,
	})
	if err != nil {
		return err
	}
	h.onStop("console", h.console.Stop)
	return h.console.Start(ctx)
}

// adminToken reads the operator's token file, or keeps one beside the data.
func (h *host) adminToken() (string, error) {
	if h.cfg.Console.TokenFile != "" {
		token, err := console.ReadToken(h.cfg.Console.TokenFile)
		if err != nil {
			return "", fmt.Errorf("[console] token_file: %w", err)
		}
		return token, nil
	}
	return console.ReadOrCreateToken(h.adminTokenPath())
}

// adminTokenPath is where the admin token is.
func (h *host) adminTokenPath() string {
	if h.cfg.Console.TokenFile != "" {
		return h.cfg.Console.TokenFile
	}
	return filepath.Join(h.cfg.Server.Data, "admin.token")
}
