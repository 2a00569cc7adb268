// Package codec measures the pose codec: how many bytes an update of a head and two hands takes, how fresh and how exact
// what arrives is, and what coding costs, beside float32, absolute smallest-three and an estimate of the
// entropy. `venued bench codec` prints it.
//
// Every clip goes from a server to a client over a lossy lane with a round trip, at 30 updates a second: the server codes
// against what the client acknowledged and nothing else, the client decodes what it receives with what it has, and every
// state must come out as it went in. Acknowledgements ride on the client's samples, 30 a second, and are lost
// as often as frames. Clients sample at phases spread evenly over the tick.
package codec
