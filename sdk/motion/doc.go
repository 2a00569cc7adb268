// Package motion makes up how people move in headsets: a head and two hands, of many [Kinds], with the tremor
// and the tracking noise of real devices.
//
// It is for load, benchmarks and for training the pose codec, where recordings of people would be too few, too alike and not
// ours to give away. The same seed gives the same motion on one machine; floating point differs
// between machines in the last places.
//
// # Model
//
// A [Person] stands somewhere and faces somewhere. Head and hands are carried by a few processes in the body's frame:
//
//	sway     a point on a spring that is pulled to ever new random places: posture, breath
//	stroke   from one place to the next along a minimum-jerk curve (Flash and Hogan 1985): reaching, gesturing
//	beat     a few harmonics of a rhythm: steps, dance
//
// and measured with white noise, like the optical and inertial tracking of headsets, which loses and misplaces
// hands now and then.
package motion
