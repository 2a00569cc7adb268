// Package saved is what of a region outlives its process: records of what each tick changed, the state they add
// up to, and the bytes of a snapshot of it.
//
//	Record   one tick's changes; the store's log is a list of them
//	State    the fold of records: Apply is the only thing that changes it
//	File     the layout of a snapshot, as State.Encode writes it and Decode reads it
//
// State = newest snapshot + the records after it. Nothing here knows the rules of the world: whether values make
// sense together is checked by the region that is built from them. Floors, zones, objects, doors and rules go by their
// names in the manifest, never by their place in it.
//
// A State belongs to one goroutine; a Record that was handed out is never changed again.
package saved
