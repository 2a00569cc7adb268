// Package transport measures what it costs to move people's poses: by bare UDP, by bare WebRTC, and by venued. It is what
// `venued bench transport` and `venued bench growth` run.
//
// # Model
//
//	this process: the clients  <--- loopback --->  a child process: what serves them
//
// venued is measured first, with the load generator's visitors. Then the same number of clients exchanges packets of the sizes and at
// the rates that were seen there with a child that does nothing else: first over WebRTC data channels of pion, then over
// UDP sockets. What counts is the processor time of the child, over some seconds in which everyone is there. Clients and server share the
// machine: near its limit all three get slower, and the figures say less.
//
// It needs Linux: processor time and memory of a child are read from /proc.
package transport

import "time"

// Options say what to measure.
type Options struct {
	Users    int           // 1 to MaxUsers
	Runs     int           // how often all of it is measured, 1 to MaxRuns; 0 is 1
	Duration time.Duration // of each of the measurements, once everyone is there
	Program  string        // the venued binary, for the children
	// Progress, when not nil, is told what is being done.
	Progress func(string)
}

// MaxUsers is how many clients one run has at most.
const MaxUsers = 1000

// MaxRuns is how often a measurement is repeated at most.
const MaxRuns = 99

// Quantiles of a distribution, milliseconds.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// Result is what was measured; of several runs, the one with the median Ratio. CPU seconds are of the serving process, over SecondsEach.
type Result struct {
	Users       int       `json:"users"`
	Joined      int       `json:"joined"` // of the visitors of venued
	SecondsEach float64   `json:"seconds_each"`
	UDP         float64   `json:"udp_cpu_s"`
	Raw         float64   `json:"raw_cpu_s"`
	Venued      float64   `json:"venued_cpu_s"`
	Ratio       float64   `json:"cpu_ratio"`     // venued by raw
	Ratios      []float64 `json:"cpu_ratios"`    // of all runs, rising
	UDPRatio    float64   `json:"udp_cpu_ratio"` // venued by bare UDP
	PoseAge     Quantiles `json:"pose_age_ms"`
	Lost        float64   `json:"lost_ratio"` // of venued's frames
	Handshakes  float64   `json:"handshakes_per_s"`
	MemoryKB    float64   `json:"rss_per_session_kb"`
	Disconnects int       `json:"disconnects"`
	Packets     Packets   `json:"packets"` // what the three moved
}

// Packets is the traffic of one client.
type Packets struct {
	UpBytes   int     `json:"up_bytes"`
	UpPerS    float64 `json:"up_per_s"`
	DownBytes int     `json:"down_bytes"`
	DownPerS  float64 `json:"down_per_s"`
	KbpsDown  float64 `json:"kbps_down"`
}
