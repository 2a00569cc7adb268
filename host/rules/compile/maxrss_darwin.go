package compile

// maxrssUnit is the unit of Rusage.Maxrss, bytes.
const maxrssUnit = 1
