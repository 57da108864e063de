package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	streams "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/kubelet/pkg/cri/streaming"
	server "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// containers are folders of files; commands "in" them are processes of this machine.
type containers struct {
	folder  string
	life    context.Context
	running sync.WaitGroup
}

// exec serves the streams with the library that kubelet and container runtimes share.
func (c *containers) exec(response http.ResponseWriter, request *http.Request) {
	options, err := server.NewOptions(request)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	env := c.file(request, ".env")
	if !exists(env) {
		err := fmt.Errorf("container not found (%q)", request.PathValue("container"))
		_ = streaming.WriteError(err, response)
		return
	}
	command := request.URL.Query()["command"]
	server.ServeExec(response, request, c, request.PathValue("pod"), "", env, command, options,
		streaming.DefaultConfig.StreamIdleTimeout, streaming.DefaultConfig.StreamCreationTimeout, streams.SupportedStreamingProtocols)
}

// ExecInContainer runs a command with the environment in the file env, and says what containerd says.
func (c *containers) ExecInContainer(_ context.Context, _ string, _ types.UID, env string, command []string,
	in io.Reader, out, err io.WriteCloser, tty bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if tty {
		return errors.New("no terminals here")
	}
	text, readErr := os.ReadFile(env)
	if readErr != nil {
		return readErr
	}
	environment := strings.Split(strings.TrimSpace(string(text)), "\n")
	program, lookUpErr := lookUp(command[0], environment)
	if lookUpErr != nil {
		return fmt.Errorf("failed to exec in container: failed to start exec %q: OCI runtime exec failed: exec failed: "+
			"unable to start container process: exec: %q: %w: unknown", newID(), command[0], lookUpErr)
	}
	process := exec.CommandContext(c.life, program, command[1:]...)
	process.Env = environment
	process.Dir = "/"
	if out != nil {
		process.Stdout = out
	}
	if err != nil {
		process.Stderr = err
	}
	return c.run(process, command, in)
}

func (c *containers) run(process *exec.Cmd, command []string, in io.Reader) error {
	if in != nil {
		// Not process.Stdin = in: then a command that ends before its input would be waited for.
		pipe, err := process.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			defer pipe.Close()
			_, _ = io.Copy(pipe, in)
		}()
	}
	c.running.Add(1)
	defer c.running.Done()
	err := process.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code := exit.ExitCode()
		if code < 0 {
			code = 137 // a signal: the one that a runtime sends
		}
		return utilexec.CodeExitError{Err: fmt.Errorf("error executing command %q, exit code %d", command, code), Code: code}
	}
	return err
}

// lookUp finds a program as the container would: along the PATH of its environment, not ours.
func lookUp(name string, environment []string) (string, error) {
	if strings.Contains(name, "/") {
		_, err := os.Stat(name)
		return name, err
	}
	path := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	for _, entry := range environment {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if program, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return program, nil
		}
	}
	return "", exec.ErrNotFound
}

// newID is like those that containerd gives to what it runs.
func newID() string {
	id := make([]byte, 32)
	_, _ = rand.Read(id)
	return hex.EncodeToString(id)
}
