package storetest

import (
	"testing"

	"github.com/venued/venued/host/store"
)

func TestMemoryAsRegistry(t *testing.T) {
	RunRegistry(t, func(*testing.T) interface {
		store.Store
		store.Registry
	} {
		return NewMemory(0)
	})
}
