//go:build unix

package compile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// writableByOthers are the permissions that let somebody else than the owner write.
const writableByOthers = 0o022

// ours says why a file or folder may have been written by somebody else than the user this process runs as, nil when it may not.
func ours(info fs.FileInfo) error {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to user %d, and this process runs as user %d", st.Uid, os.Geteuid())
	}
	if mode := info.Mode().Perm(); mode&writableByOthers != 0 {
		return fmt.Errorf("its mode %o lets others write to it", mode)
	}
	return nil
}
