// apiserver is kube-apiserver itself, which makes its service account key and ends with its standard input.
//
//	apiserver FOLDER [flag of kube-apiserver]...
//
// FOLDER keeps the serving certificate (apiserver.crt) and the key from one start to the next.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/util/keyutil"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"

	"dacapo.test/cluster/stdin"
)

func main() {
	if len(os.Args) < 2 {
		fail("no folder given")
	}
	folder := os.Args[1]
	key := filepath.Join(folder, "service-account.key")
	if _, _, err := keyutil.LoadOrGenerateKeyFile(key); err != nil {
		fail(err)
	}
	stdin.OnClose(func() { os.Exit(0) })
	command := app.NewAPIServerCommand()
	command.SetArgs(append([]string{
		"--cert-dir=" + folder,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + key,
		"--service-account-signing-key-file=" + key,
	}, os.Args[2:]...))
	os.Exit(cli.Run(command))
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, "apiserver:", why)
	os.Exit(2)
}
