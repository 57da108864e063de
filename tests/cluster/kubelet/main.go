// kubelet answers what an API server asks a kubelet for logs and exec, from files instead of containers.
//
//	kubelet FOLDER
//
// It listens on a free port of 127.0.0.1, which it prints, and ends with its standard input. FOLDER holds, for
// each container, in <namespace>/<pod>/:
//
//	<container>.log           the log, as it lies on a node: `<RFC 3339 time> stdout F <text>`
//	<container>.previous.log  the log of the container before it restarted
//	<container>.env           lines KEY=VALUE: the environment of commands that are run in it, PATH included;
//	                          without this file there is no such container to run commands in
//	<container>.log.stall     (only needs to be there) the log is sent and the answer never ends
//	<container>.log.cut       (only needs to be there) the connection breaks in the middle of the log
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"k8s.io/client-go/util/cert"

	"dacapo.test/cluster/stdin"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("kubelet: give one folder")
	}
	ctx, cancel := context.WithCancel(context.Background())
	containers := containers{folder: os.Args[1], life: ctx}
	stdin.OnClose(func() {
		cancel()
		containers.running.Wait()
		os.Exit(0)
	})
	listener, err := tls.Listen("tcp", "127.0.0.1:0", selfSigned())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", containers.logs)
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", containers.exec)
	log.Fatal(http.Serve(listener, mux))
}

// Without a certificate of its own a kubelet signs one itself, too.
func selfSigned() *tls.Config {
	certificate, key, err := cert.GenerateSelfSignedCertKey("localhost", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		log.Fatal(err)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		log.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}
}

// file is where something of a container is. Names are checked by the API server, which has such a pod.
func (c *containers) file(request *http.Request, ending string) string {
	name := request.PathValue("container") + ending
	return filepath.Join(c.folder, request.PathValue("namespace"), request.PathValue("pod"), name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
