package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// localName is a file in the data folder of a host that runs: where its console is. So tools on the same machine find it.
const localName = "console.json"

// local says where a console is.
type local struct {
	URL       string `json:"url"`        // of the host
	TokenFile string `json:"token_file"` // absolute
}

// tellLocal says where the console is until the host stops.
func (h *host) tellLocal(addr net.Addr) error {
	tcp, ok := addr.(*net.TCPAddr)
	if h.console == nil || !ok {
		return nil
	}
	ip := tcp.IP
	if ip.IsUnspecified() {
		ip = net.IPv4(127, 0, 0, 1)
	}
	token, err := filepath.Abs(h.adminTokenPath())
	if err != nil {
		return err
	}
	b, err := json.Marshal(local{"http://" + net.JoinHostPort(ip.String(), strconv.Itoa(tcp.Port)), token})
	if err != nil {
		return err
	}
	file := filepath.Join(h.cfg.Server.Data, localName)
	if err := os.WriteFile(file, append(b, '\n'), 0o600); err != nil {
		return err
	}
	h.onStop("console's address", func(context.Context) error { return os.Remove(file) })
	return nil
}

// findLocal reads where the console of a host is that has its data in the folder, or with "" in the folder data of the working folder or
// of one above it.
func findLocal(data string) (*local, string, error) {
	if data != "" {
		l, err := readLocal(filepath.Join(data, localName))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", fmt.Errorf("no host runs with its data in %s", data)
		}
		return l, filepath.Join(data, localName), err
	}
	at, err := os.Getwd()
	if err != nil {
		return nil, "", err
	}
	for ; ; at = filepath.Dir(at) {
		file := filepath.Join(at, "data", localName)
		l, err := readLocal(file)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return l, file, err
		}
		if at == filepath.Dir(at) {
			return nil, "", errors.New("no host is named and none is found here: start one (venued serve) in this folder or one above it, name the folder of its data " +
				"with --data, or its address with --to or VENUED_ADMIN_URL and its token with --token-file or VENUED_ADMIN_TOKEN")
		}
	}
}

func readLocal(file string) (*local, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l := new(local)
	if err := json.Unmarshal(b, l); err != nil || l.URL == "" {
		return nil, fmt.Errorf("%s does not say where a console is: delete it, and start the host again", file)
	}
	return l, nil
}
