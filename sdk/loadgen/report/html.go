package report

import (
	_ "embed"
	"html/template"
	"io"
	"math"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"num": num, "percent": func(x float64) string { return num(x * 100) },
	"rows": func(l Loop) []Action { return append([]Action{l.All}, l.Actions...) },
}).Parse(pageText))

// Colours of lines, told apart on light and dark ground and by most who see colours differently.
const (
	blue, orange, green, red = "#3b82c4", "#d97b29", "#3f9a63", "#c4473a"
)

// HTML writes the report as one page that needs nothing else.
func (r *Report) HTML(w io.Writer) error {
	type loop struct {
		Loop
		Charts []*chart
	}
	data := struct {
		*Report
		Verdict []string
		Good    bool
		Each    []loop
		Machine []*chart
		Lost    []*chart
	}{Report: r, Verdict: r.Verdicts(), Good: r.OK()}
	for _, l := range r.Loops {
		if len(l.Slices) > 0 {
			data.Each = append(data.Each, loop{l, l.charts()})
		} else {
			data.Each = append(data.Each, loop{Loop: l})
		}
	}
	if r.Visitors != nil && len(r.Visitors.Loss) > 0 {
		list := r.Visitors.Loss
		data.Lost = []*chart{{Title: "Frames lost", unit: "%", x: column(list, func(l *Loss) float64 { return l.AtS }),
			lines: []series{{"lost", red, column(list, func(l *Loss) float64 { return l.Ratio * 100 })}}}}
	}
	if len(r.Server) > 0 {
		data.Machine = r.serverCharts()
	}
	return page.Execute(w, data)
}

// column takes a value out of every element of a list.
func column[T any](list []T, take func(*T) float64) []float64 {
	out := make([]float64, len(list))
	for i := range list {
		out[i] = take(&list[i])
	}
	return out
}

func (l *Loop) charts() []*chart {
	x := column(l.Slices, func(s *Slice) float64 { return s.AtS })
	// A slice in which nothing succeeded has no quantile.
	ms := func(take func(*Slice) float64) []float64 {
		return column(l.Slices, func(s *Slice) float64 {
			if v := take(s); v > 0 {
				return v
			}
			return math.NaN()
		})
	}
	return []*chart{
		{Title: "Users", unit: "people", x: x, lines: []series{{"there", blue, column(l.Slices, func(s *Slice) float64 { return s.Users })}}},
		{Title: "Actions", unit: "a second", x: x, lines: []series{
			{"due", blue, column(l.Slices, func(s *Slice) float64 { return s.DuePerS })},
			{"succeeded", green, column(l.Slices, func(s *Slice) float64 { return s.OKPerS })},
			{"failed", red, column(l.Slices, func(s *Slice) float64 { return float64(s.Failed) / l.every() })},
		}},
		{Title: "End-to-end time, by when they were due", unit: "ms", log: true, x: x, lines: []series{
			{"p50", blue, ms(func(s *Slice) float64 { return s.P50 })},
			{"p95", orange, ms(func(s *Slice) float64 { return s.P95 })},
			{"p99", red, ms(func(s *Slice) float64 { return s.P99 })},
		}},
		{Title: "Queue share", unit: "of the time", x: x, limit: 0.2, lines: []series{
			{"waiting", orange, column(l.Slices, func(s *Slice) float64 { return s.QueueShare })},
		}},
	}
}

// every is the length of a slice, seconds.
func (l *Loop) every() float64 {
	if len(l.Slices) < 2 {
		return 1
	}
	return l.Slices[1].AtS - l.Slices[0].AtS
}

func (r *Report) serverCharts() []*chart {
	x := column(r.Server, func(s *Server) float64 { return s.AtS })
	return []*chart{
		{Title: "Processors of the server", unit: "processors", x: x, lines: []series{{"used", blue, column(r.Server, func(s *Server) float64 { return s.CPU })}}},
		{Title: "Tick time, p99 of the slowest region", unit: "ms", x: x, lines: []series{{"p99", red, column(r.Server, func(s *Server) float64 { return s.TickP99 })}}},
		{Title: "Memory of the server", unit: "MB", x: x, lines: []series{{"resident", green, column(r.Server, func(s *Server) float64 { return s.MemMB })}}},
	}
}
