package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// The parts of bbolt's file format that checkPages reads. A file is in the byte order of
// the machine that wrote it.
const (
	metaMagic    = 0xED0CDAED
	metaVersion  = 2
	metaSize     = 64
	pageHeader   = 16 // id u64, flags u16, count u16, overflow u32
	branchElem   = 16 // pos u32, ksize u32, pgid u64
	leafElem     = 16 // flags u32, pos u32, ksize u32, vsize u32
	bucketHeader = 16 // root pgid u64, sequence u64
	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagFreelist = 0x10
	noFreelist   = ^uint64(0)
	maxPageDepth = 64
)

var order = binary.NativeEndian

type meta struct {
	pageSize             int64
	root, freelist, high uint64
	txid                 uint64
}

// pageCheck walks a file's page graph.
type pageCheck struct {
	r    io.ReaderAt
	size int64
	meta
	seen []bool // by page id: reachable or free
}

// checkPages returns an error unless the file of a size is one that bbolt can read
// without going astray: every page in bounds, of the right type, reached exactly once
// or free, keys ascending, every key and value within its page. It reads each page once and
// allocates in proportion to size.
func checkPages(r io.ReaderAt, size int64) error {
	m, err := readMeta(r, size)
	if err != nil {
		return err
	}
	c := &pageCheck{r: r, size: size, meta: m, seen: make([]bool, m.high)}
	c.seen[0], c.seen[1] = true, true
	if err := c.freeIDs(); err != nil {
		return err
	}
	if err := c.page(m.root, nil, nil, 0); err != nil {
		return err
	}
	for id, seen := range c.seen {
		if !seen {
			return fmt.Errorf("page %d is neither used nor free", id)
		}
	}
	return nil
}

// readMeta returns the newest valid meta page, the one that bbolt will use.
func readMeta(r io.ReaderAt, size int64) (meta, error) {
	var best meta
	found := false
	try := func(at int64) {
		var b [pageHeader + metaSize]byte
		if _, err := r.ReadAt(b[:], at); err != nil {
			return
		}
		m, ok := parseMeta(b[pageHeader:])
		if ok && (at == 0 || at == m.pageSize) && (!found || m.txid > best.txid) {
			best, found = m, true
		}
	}
	try(0)
	for at := int64(1 << 10); at <= 1<<24 && at < size; at <<= 1 {
		try(at)
	}
	switch {
	case !found:
		return meta{}, errors.New("it is no store file, or both of its meta pages are damaged")
	case best.high < 4 || best.high > uint64(size/best.pageSize):
		return meta{}, fmt.Errorf("it was cut short: %d bytes, but it has %d pages of %d", size, best.high, best.pageSize)
	}
	return best, nil
}

func parseMeta(b []byte) (meta, bool) {
	h := fnv.New64a()
	h.Write(b[:56])
	m := meta{
		pageSize: int64(order.Uint32(b[8:])), root: order.Uint64(b[16:]), freelist: order.Uint64(b[32:]),
		high: order.Uint64(b[40:]), txid: order.Uint64(b[48:]),
	}
	ok := order.Uint32(b) == metaMagic && order.Uint32(b[4:]) == metaVersion && order.Uint64(b[56:]) == h.Sum64() &&
		m.pageSize >= 1<<10 && m.pageSize <= 1<<24 && m.pageSize&(m.pageSize-1) == 0
	return m, ok
}

// read returns a page with its overflow and marks its ids as seen.
func (c *pageCheck) read(id uint64) (flags, count uint16, page []byte, err error) {
	if id < 2 || id >= c.high {
		return 0, 0, nil, fmt.Errorf("page %d is outside of the file's %d", id, c.high)
	}
	var h [pageHeader]byte
	if _, err := c.r.ReadAt(h[:], int64(id)*c.pageSize); err != nil {
		return 0, 0, nil, fmt.Errorf("page %d: %w", id, err)
	}
	if got := order.Uint64(h[:]); got != id {
		return 0, 0, nil, fmt.Errorf("page %d says that it is page %d", id, got)
	}
	over := uint64(order.Uint32(h[12:]))
	if over >= c.high-id {
		return 0, 0, nil, fmt.Errorf("page %d reaches beyond the file's %d pages", id, c.high)
	}
	for i := id; i <= id+over; i++ {
		if c.seen[i] {
			return 0, 0, nil, fmt.Errorf("page %d is used twice", i)
		}
		c.seen[i] = true
	}
	page = make([]byte, int64(over+1)*c.pageSize)
	if _, err := c.r.ReadAt(page, int64(id)*c.pageSize); err != nil {
		return 0, 0, nil, fmt.Errorf("page %d: %w", id, err)
	}
	return order.Uint16(h[8:]), order.Uint16(h[10:]), page, nil
}

func (c *pageCheck) freeIDs() error {
	if c.freelist == noFreelist {
		return errors.New("it has no list of free pages") // this package always writes one
	}
	flags, n, page, err := c.read(c.freelist)
	if err != nil {
		return err
	}
	if flags != flagFreelist {
		return fmt.Errorf("page %d is no list of free pages (flags %x)", c.freelist, flags)
	}
	ids, count := page[pageHeader:], uint64(n)
	if n == 0xffff {
		count = order.Uint64(ids)
		ids = ids[8:]
	}
	if count > uint64(len(ids)/8) {
		return fmt.Errorf("page %d: %d free pages do not fit into it", c.freelist, count)
	}
	for i := range count {
		id := order.Uint64(ids[8*i:])
		if id < 2 || id >= c.high || c.seen[id] {
			return fmt.Errorf("page %d: free page %d is used, free twice, or outside of the file", c.freelist, id)
		}
		c.seen[id] = true
	}
	return nil
}

// page checks the tree below a page; its keys are in [low, high), nil for no bound.
func (c *pageCheck) page(id uint64, low, high []byte, depth int) error {
	if depth > maxPageDepth {
		return fmt.Errorf("page %d is more than %d levels deep", id, maxPageDepth)
	}
	flags, count, page, err := c.read(id)
	if err != nil {
		return err
	}
	switch flags {
	case flagLeaf:
		return c.leaf(id, page, int(count), low, high, depth)
	case flagBranch:
		return c.branch(id, page, int(count), low, high, depth)
	}
	return fmt.Errorf("page %d has flags %x, neither branch nor leaf", id, flags)
}

func (c *pageCheck) branch(id uint64, page []byte, count int, low, high []byte, depth int) error {
	if count == 0 || pageHeader+count*branchElem > len(page) {
		return fmt.Errorf("page %d cannot have %d branches", id, count)
	}
	keys := make([][]byte, count+1)
	keys[count] = high
	for i := range count {
		at := pageHeader + i*branchElem
		key, _, err := span(page, at, order.Uint32(page[at:]), order.Uint32(page[at+4:]), 0)
		if err != nil {
			return fmt.Errorf("page %d, branch %d: %w", id, i, err)
		}
		keys[i] = key
	}
	for i := range count {
		if err := inOrder(keys[i], low, keys[i+1], i == 0); err != nil {
			return fmt.Errorf("page %d, branch %d: %w", id, i, err)
		}
		low = keys[i]
		child := order.Uint64(page[pageHeader+i*branchElem+8:])
		if err := c.page(child, keys[i], keys[i+1], depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *pageCheck) leaf(id uint64, page []byte, count int, low, high []byte, depth int) error {
	if pageHeader+count*leafElem > len(page) {
		return fmt.Errorf("page %d cannot have %d entries", id, count)
	}
	for i := range count {
		at := pageHeader + i*leafElem
		key, value, err := span(page, at, order.Uint32(page[at+4:]), order.Uint32(page[at+8:]), order.Uint32(page[at+12:]))
		if err == nil {
			err = inOrder(key, low, high, i == 0)
		}
		if err == nil && order.Uint32(page[at:])&1 != 0 {
			err = c.bucket(id, value, depth)
		}
		if err != nil {
			return fmt.Errorf("page %d, entry %d: %w", id, i, err)
		}
		low = key
	}
	return nil
}

// bucket checks the bucket that a leaf's value holds: a root page, or the page itself
// within the value.
func (c *pageCheck) bucket(id uint64, value []byte, depth int) error {
	if len(value) < bucketHeader {
		return errors.New("bucket is cut short")
	}
	if root := order.Uint64(value); root != 0 {
		return c.page(root, nil, nil, depth+1)
	}
	page := value[bucketHeader:]
	if len(page) < pageHeader || order.Uint16(page[8:]) != flagLeaf {
		return errors.New("bucket within the page is no leaf")
	}
	if depth > maxPageDepth {
		return fmt.Errorf("buckets are more than %d levels deep", maxPageDepth)
	}
	return c.leaf(id, page, int(order.Uint16(page[10:])), nil, nil, depth+1)
}

// span returns the key and the value that stand pos bytes behind an element at at.
func span(page []byte, at int, pos, ksize, vsize uint32) (key, value []byte, err error) {
	from := uint64(at) + uint64(pos)
	mid := from + uint64(ksize)
	to := mid + uint64(vsize)
	if to > uint64(len(page)) {
		return nil, nil, errors.New("its data reaches beyond the page")
	}
	return page[from:mid:mid], page[mid:to:to], nil
}

func inOrder(key, low, high []byte, first bool) error {
	if d := bytes.Compare(key, low); low != nil && (d < 0 || d == 0 && !first) {
		return errors.New("its key is not above the one before it")
	}
	if high != nil && bytes.Compare(key, high) >= 0 {
		return errors.New("its key is not below the one after it")
	}
	return nil
}
