package abi

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Settings turns a rule's settings table, as a TOML decoder gives it, into settings sorted
// by name. Numbers with a fraction are rounded to the nearest 1/1024, halves
// away from zero. Errors name the setting.
func Settings(table map[string]any) ([]Setting, error) {
	if len(table) > MaxSettings {
		return nil, fmt.Errorf("settings: %d of them, the limit is %d", len(table), MaxSettings)
	}
	out := make([]Setting, 0, len(table))
	for _, name := range slices.Sorted(maps.Keys(table)) {
		s := Setting{Name: name}
		if name == "" || len(name) > MaxKey {
			return nil, fmt.Errorf("settings: name %q: want 1 to %d bytes", name, MaxKey)
		}
		switch v := table[name].(type) {
		case int64:
			s.Type, s.Value = SettingInt, v
		case int:
			s.Type, s.Value = SettingInt, int64(v)
		case float64:
			// 2^52 in 1/1024: every such number and its rounding are exact.
			if math.IsNaN(v) || math.Abs(v) > 1<<42 {
				return nil, fmt.Errorf("settings: %s = %v: want a finite number within ±2^42", name, v)
			}
			s.Type, s.Value = SettingFixed, int64(math.Round(v*1024))
		case bool:
			s.Type = SettingBool
			if v {
				s.Value = 1
			}
		case string:
			if len(v) > MaxValue {
				return nil, fmt.Errorf("settings: %s: %d bytes of text, the limit is %d", name, len(v), MaxValue)
			}
			s.Type, s.Text = SettingText, v
		default:
			return nil, fmt.Errorf("settings: %s is a %T: want a number, a text, true or false", name, v)
		}
		out = append(out, s)
	}
	return out, nil
}

// AppendInit appends the batch that venued_init reads. Events of h is ignored: settings are counted in its
// place, and rows after them. The error says by how much it is above MaxInput.
func AppendInit(dst []byte, h Header, settings []Setting, rows []Row) ([]byte, error) {
	total := HeaderSize + len(settings)*SettingSize + len(rows)*RowSize
	off := uint32(total)
	for i := range settings {
		total += len(settings[i].Name) + len(settings[i].Text)
	}
	if total > MaxInput {
		return dst, fmt.Errorf("init batch: %d settings and %d rows make %d bytes, the limit is %d", len(settings), len(rows), total, MaxInput)
	}
	start := len(dst)
	dst = append(dst, zeroRecord[:HeaderSize]...)
	h.Events, h.Rows = uint32(len(settings)), uint32(len(rows))
	putHeader(dst[start:], MagicInit, &h, SettingSize, total)
	for i := range settings {
		s := &settings[i]
		n := len(dst)
		dst = append(dst, zeroRecord[:SettingSize]...)
		r := dst[n:]
		s.put(r)
		off = putRef(r[offSettingName:], off, len(s.Name))
		off = putRef(r[offSettingText:], off, len(s.Text))
	}
	for i := range rows {
		dst = appendRow(dst, &rows[i])
	}
	for i := range settings {
		dst = append(append(dst, settings[i].Name...), settings[i].Text...)
	}
	return dst, nil
}

// DecodeInit reads an init batch the way a guest does.
func DecodeInit(b []byte) (Header, []Setting, []Row, error) {
	var h Header
	list, rows, sizes, err := decodeHeader(b, MagicInit, SettingSize, &h)
	if err != nil {
		return Header{}, nil, nil, err
	}
	settings := make([]Setting, 0, h.Events)
	for i := range h.Events {
		r := list[int(i)*sizes.event:]
		name, err := ref(b, r[offSettingName:])
		if err != nil {
			return Header{}, nil, nil, fmt.Errorf("init batch: setting %d: name: %w", i+1, err)
		}
		text, err := ref(b, r[offSettingText:])
		if err != nil {
			return Header{}, nil, nil, fmt.Errorf("init batch: setting %d: text: %w", i+1, err)
		}
		s := Setting{Name: string(name), Text: string(text)}
		s.get(r)
		settings = append(settings, s)
	}
	return h, settings, decodeRows(make([]Row, 0, h.Rows), rows, h.Rows, sizes.row), nil
}
