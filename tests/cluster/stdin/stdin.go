// Package stdin tells when whoever started this process is gone.
package stdin

import (
	"io"
	"os"
)

// OnClose calls what once standard input ends: the tests hold its other end, so nothing outlives them.
func OnClose(what func()) {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		what()
	}()
}
