package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
)

// Sizes of a chart, in the units of its view box.
const (
	chartWidth, chartHeight                 = 640, 200
	chartLeft, chartRight, chartTop, bottom = 52, 12, 12, 24
)

// series is a line of a chart; NaN is a gap.
type series struct {
	name   string
	colour string
	y      []float64
}

// chart is a plot of lines over the time of the run.
type chart struct {
	Title string
	unit  string
	x     []float64 // seconds, ascending
	lines []series
	log   bool    // of the y axis
	limit float64 // drawn as a line across, 0 for none
}

// SVG draws the chart. It needs nothing from outside.
func (c *chart) SVG() template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, chartWidth, chartHeight, html.EscapeString(c.Title))
	low, high := c.bounds()
	right := float64(chartWidth - chartRight)
	xAt := func(x float64) float64 {
		first, last := c.x[0], c.x[len(c.x)-1]
		if last <= first {
			return chartLeft
		}
		return chartLeft + (x-first)/(last-first)*(right-chartLeft)
	}
	yAt := func(y float64) float64 {
		if c.log {
			y, low, high := math.Log(max(y, low)), math.Log(low), math.Log(high)
			return chartHeight - bottom - (y-low)/(high-low)*(chartHeight-bottom-chartTop)
		}
		return chartHeight - bottom - (y-low)/(high-low)*(chartHeight-bottom-chartTop)
	}
	for _, y := range c.ticks(low, high) {
		fmt.Fprintf(&b, `<path class="grid" d="M%d %.1fH%.1f"/><text class="y" x="%d" y="%.1f">%s</text>`, chartLeft, yAt(y), right, chartLeft-6, yAt(y)+4, short(y))
	}
	if len(c.x) > 0 {
		last := c.x[len(c.x)-1]
		for i := range 5 {
			x := c.x[0] + (last-c.x[0])*float64(i)/4
			fmt.Fprintf(&b, `<text class="x" x="%.1f" y="%d">%s s</text>`, xAt(x), chartHeight-6, short(x))
		}
	}
	if c.limit > 0 && c.limit <= high {
		fmt.Fprintf(&b, `<path class="limit" d="M%d %.1fH%.1f"/>`, chartLeft, yAt(c.limit), right)
	}
	for _, l := range c.lines {
		var d strings.Builder
		pen := "M"
		for i, y := range l.y {
			if math.IsNaN(y) || math.IsInf(y, 0) {
				pen = "M"
				continue
			}
			fmt.Fprintf(&d, "%s%.1f %.1f", pen, xAt(c.x[i]), yAt(y))
			pen = "L"
		}
		fmt.Fprintf(&b, `<path class="line" stroke="%s" d="%s"/>`, l.colour, d.String())
	}
	b.WriteString(`</svg><p class="key">`)
	for _, l := range c.lines {
		fmt.Fprintf(&b, `<span><i style="background:%s"></i>%s</span>`, l.colour, html.EscapeString(l.name))
	}
	fmt.Fprintf(&b, `<span>%s</span></p>`, html.EscapeString(c.unit))
	return template.HTML(b.String())
}

// bounds returns the lowest and highest value of the y axis.
func (c *chart) bounds() (low, high float64) {
	low, high = math.Inf(1), c.limit*1.1
	for _, l := range c.lines {
		for _, y := range l.y {
			if !math.IsNaN(y) && !math.IsInf(y, 0) {
				high = max(high, y)
				if y > 0 {
					low = min(low, y)
				}
			}
		}
	}
	if high <= 0 {
		high = 1
	}
	if !c.log {
		return 0, high * 1.05
	}
	low = math.Pow(10, math.Floor(math.Log10(min(low, high))))
	high = math.Pow(10, math.Ceil(math.Log10(high)+1e-9))
	if high <= low {
		high = low * 10
	}
	return low, high
}

// ticks returns what the y axis is marked at.
func (c *chart) ticks(low, high float64) (out []float64) {
	if c.log {
		for y := low; y <= high*1.001; y *= 10 {
			out = append(out, y)
		}
		return out
	}
	step := math.Pow(10, math.Floor(math.Log10(high/4)))
	for _, m := range []float64{1, 2, 5, 10} {
		if high/(step*m) <= 5 {
			step *= m
			break
		}
	}
	for y := 0.0; y <= high; y += step {
		out = append(out, y)
	}
	return out
}

// short writes a number in few letters.
func short(x float64) string {
	switch {
	case math.Abs(x) >= 1e6:
		return fmt.Sprintf("%.3gM", x/1e6)
	case math.Abs(x) >= 1e4:
		return fmt.Sprintf("%.3gk", x/1e3)
	}
	return fmt.Sprintf("%.4g", x)
}
