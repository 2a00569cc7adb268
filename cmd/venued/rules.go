package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/console"
	"github.com/venued/venued/host/metrics"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/store"
)

// openBook starts the rule engine and opens the book of what runs where.
func (h *host) openBook(ctx context.Context, s store.Store, events *bus.Server, registry prometheus.Registerer) (*rulebook.Book, error) {
	child, err := compiler()
	if err != nil {
		return nil, err
	}
	engine, err := rules.NewEngine(ctx, rules.Config{
		CacheDir: filepath.Join(h.cfg.Server.Data, "compiled"), Compiler: child, Late: metrics.LateRules(registry), Log: h.log,
	})
	if err != nil {
		return nil, err
	}
	h.onStop("rules", engine.Close)
	conn, err := events.Connect("rulebook")
	if err != nil {
		return nil, err
	}
	h.onStop("rulebook's bus", func(context.Context) error { conn.Close(); return nil })
	var keys []rulebook.Key
	for i := range h.cfg.Rules.Keys {
		k := &h.cfg.Rules.Keys[i]
		keys = append(keys, rulebook.Key{Name: k.Name, Public: k.Public(), Rules: k.Rules, Activate: k.Activate})
	}
	book, err := rulebook.Open(ctx, rulebook.Config{
		Venue: h.cfg.Venue, Store: s, Engine: engine, Bus: conn, Keys: keys, RequireSignature: h.cfg.Rules.RequireSignature,
		Log: h.log, Metrics: registry,
	})
	if err != nil {
		return nil, err
	}
	h.onStop("rulebook", book.Close)
	return book, nil
}

// rulesHealth says which rules do not run what was activated for them.
func rulesHealth(book *rulebook.Book) func() error {
	return func() error {
		if list := book.Problems(); len(list) > 0 {
			return errors.New(strings.Join(list, "; "))
		}
		return nil
	}
}

// keyTokens reads the tokens of the rule keys.
func (h *host) keyTokens(admin string) (map[string]string, error) {
	out, owner := map[string]string{}, map[string]string{admin: "the admins"}
	for i := range h.cfg.Rules.Keys {
		k := &h.cfg.Rules.Keys[i]
		if k.TokenFile == "" {
			continue
		}
		token, err := console.ReadToken(k.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("[[rules.keys]] %s, token_file: %w", k.Name, err)
		}
		if other, taken := owner[token]; taken {
			return nil, fmt.Errorf("[[rules.keys]] %s, token_file %s: it is the token of %s too: give every key one of its own", k.Name, k.TokenFile, other)
		}
		out[k.Name], owner[token] = token, "rule key "+k.Name
	}
	return out, nil
}
