package console

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/venued/venued/host/config"
)

// settings lists the configuration in force, one entry a key, as TOML would write it.
func settings(cfg *config.Config) []Setting {
	l := settingList{}
	l.table("server", reflect.ValueOf(cfg.Server))
	l.table("tokens", reflect.ValueOf(cfg.Tokens))
	l.table("rtc", reflect.ValueOf(cfg.RTC))
	l.table("store", reflect.ValueOf(cfg.Store))
	l.table("console", reflect.ValueOf(cfg.Console))
	l.add("rules.require_signature", cfg.Rules.RequireSignature)
	for i := range cfg.Rules.Keys {
		k := &cfg.Rules.Keys[i]
		l.table("rules.keys."+k.Name, reflect.ValueOf(*k))
	}
	l.table("log", reflect.ValueOf(cfg.Log))
	l.table("venue", reflect.ValueOf(cfg.Venue.Manifest.Venue))
	for i := range cfg.Venue.Rules {
		r := &cfg.Venue.Rules[i]
		l.add("rule."+r.Name+".plugin", r.Plugin)
		for _, k := range slices.Sorted(maps.Keys(r.Settings)) {
			l.add("rule."+r.Name+".settings."+k, r.Settings[k])
		}
	}
	return l
}

type settingList []Setting

// table adds the fields of a struct by their TOML names.
func (l *settingList) table(path string, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if name == "" || name == "-" || !f.IsExported() {
			continue
		}
		switch field := v.Field(i); field.Kind() {
		case reflect.Struct:
			l.table(path+"."+name, field)
		default:
			l.add(path+"."+name, field.Interface())
		}
	}
}

// secretWords in the last part of a key hide its value. Paths of files are shown: they say where the secret is.
var secretWords = []string{"secret", "password", "token", "key", "credential"}

func (l *settingList) add(key string, value any) {
	last := strings.ToLower(key[strings.LastIndex(key, ".")+1:])
	s := Setting{Key: key}
	if !strings.HasSuffix(last, "_file") {
		s.Secret = slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(last, w) })
	}
	if !s.Secret {
		s.Value = written(value)
	}
	*l = append(*l, s)
}

// written is a value as TOML writes it.
func written(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case []string:
		q := make([]string, len(v))
		for i, s := range v {
			q[i] = strconv.Quote(s)
		}
		return "[" + strings.Join(q, ", ") + "]"
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s
	}
	return fmt.Sprint(value)
}
