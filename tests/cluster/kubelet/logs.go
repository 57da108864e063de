package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/util/flushwriter"
	crilogs "k8s.io/cri-client/pkg/logs"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // how a query becomes PodLogOptions
	"k8s.io/kubernetes/pkg/apis/core/v1/validation"
)

// logs does what getContainerLogs of pkg/kubelet/server does, in its words; the reading is the kubelet's own.
func (c *containers) logs(response http.ResponseWriter, request *http.Request) {
	options := &v1.PodLogOptions{}
	query := request.URL.Query()
	if err := legacyscheme.ParameterCodec.DecodeParameters(query, v1.SchemeGroupVersion, options); err != nil {
		http.Error(response, `{"message": "Unable to decode query."}`, http.StatusBadRequest)
		return
	}
	if errs := validation.ValidatePodLogOptions(options); len(errs) > 0 {
		http.Error(response, `{"message": "Invalid request."}`, http.StatusUnprocessableEntity)
		return
	}
	path, err := c.logFile(request, options.Previous)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	// Only following needs to ask a runtime whether the container still runs, and there is none to ask.
	options.Follow = false
	read := func(to io.Writer) error {
		logger := klog.Background()
		return crilogs.ReadLogs(request.Context(), &logger, path, "", crilogs.NewLogOptions(options, time.Now()), nil, to, to)
	}
	var out io.Writer = flushwriter.Wrap(response)
	if exists(c.file(request, ".log.cut")) {
		var whole bytes.Buffer
		_ = read(&whole)
		out = &cut{to: out, left: whole.Len() / 2}
	}
	response.Header().Set("Transfer-Encoding", "chunked")
	err = read(out)
	if errors.Is(err, errCut) {
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	if exists(c.file(request, ".log.stall")) {
		<-request.Context().Done()
	}
}

func (c *containers) logFile(request *http.Request, previous bool) (string, error) {
	container, pod := request.PathValue("container"), request.PathValue("pod")
	if previous {
		path := c.file(request, ".previous.log")
		if !exists(path) {
			return "", fmt.Errorf("previous terminated container %q in pod %q not found", container, pod)
		}
		return path, nil
	}
	path := c.file(request, ".log")
	if !exists(path) {
		return "", fmt.Errorf("container %q in pod %q is waiting to start: ContainerCreating", container, pod)
	}
	return path, nil
}

var errCut = errors.New("the connection is cut here")

// cut passes on some bytes and no more.
type cut struct {
	to   io.Writer
	left int
}

func (c *cut) Write(line []byte) (int, error) {
	if len(line) > c.left {
		_, _ = c.to.Write(line[:c.left])
		return 0, errCut
	}
	c.left -= len(line)
	return c.to.Write(line)
}
