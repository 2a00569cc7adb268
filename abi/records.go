package abi

// Header starts a batch.
type Header struct {
	Minor  uint16
	Tick   uint64
	TimeUS uint64 // server time of the tick
	Seed   uint64 // the same for a batch on every machine
	Region uint32
	Events uint32
	Rows   uint32
}

// Layout: 0 magic u32, 4 minor u16, 6 header size u16, 8 events u32, 12 event size
// u16, 14 row size u16, 16 rows u32, 20 region u32, 24 tick u64, 32 time u64, 40 seed
// u64, 48 total bytes u32, 52 reserved.

// Event is one thing that happened. See the event kinds for the fields' meaning.
type Event struct {
	Kind    EventKind
	Hand    uint8 // 0 left, 1 right
	Scope   Scope
	Class   uint32 // the object's kind, its index in the venue's list of kinds
	Subject uint64
	Object  uint64
	Holder  uint64
	Stamp   uint64
	X, Y, Z int32
	Dist    uint32 // lattice steps
	Value   uint64
	Aux     uint64
	Count   uint32
	Data    []byte
}

// Layout: 0 kind u16, 2 hand u8, 3 zero u8, 4 scope u16, 6 zero u16, 8 class u32, 12
// count u32, 16 subject u64, 24 object u64, 32 holder u64, 40 stamp u64, 48 x i32,
// 52 y i32, 56 z i32, 60 dist u32, 64 value u64, 72 aux u64, 80 data offset u32 (from the start of
// the batch), 84 data length u32.

// Row is one line of a view.
type Row struct {
	Kind    RowKind
	Flags   uint16
	Class   uint32
	ID      uint64
	Holder  uint64
	X, Y, Z int32
	State   uint32
	Aux     uint64
}

// Layout: 0 kind u16, 2 flags u16, 4 class u32, 8 id u64, 16 holder u64, 24 x i32, 28 y i32,
// 32 z i32, 36 state u32, 40 aux u64, 48 reserved u64.

// Command is one thing that a plugin wants done.
type Command struct {
	Kind    CommandKind
	Scope   Scope
	Event   uint32 // 1-based number of the event it answers, 0 for none
	Subject uint64
	Object  uint64
	Value   int64
	X, Y, Z int32
	Aux     uint64
	Data    []byte // aliases the buffer it was decoded from
}

// Layout: 0 kind u16, 2 scope u16, 4 event u32, 8 subject u64, 16 object u64, 24
// value i64, 32 x i32, 36 y i32, 40 z i32, 44 data offset u32 (from the start of the
// commands), 48 data length u32, 52 reserved u32, 56 aux u64.
// The header of a list: 0 magic u32, 4 minor u16, 6 record size u16, 8 count u32,
// 12 reserved u32.

// Setting is one line of a rule's settings in the manifest of the venue. In an init batch (magic "VNI1",
// otherwise a Header whose Events counts settings of SettingSize bytes and whose
// Rows count the rows behind them): 0 name offset u32, 4 name length u32, 8 type u32, 12 zero,
// 16 value i64, 24 text offset u32, 28 text length u32.
type Setting struct {
	Name  string
	Type  uint32 // SettingInt, SettingFixed, SettingText
	Value int64  // the integer, or 1/1024 units for SettingFixed, 0 or 1 for true and false
	Text  string
}

// Types of a setting.
const (
	SettingInt   = 1
	SettingFixed = 2 // a number with a fraction, in 1/1024, rounded to the nearest
	SettingText  = 3
	SettingBool  = 4
)
