package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/report"
)

func cmdServe(a *app) *cobra.Command {
	r := &reportFlags{}
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the report in a browser, straight from the store, however large",
		Long: `Serve the report over HTTP, read-only, on loopback. It reads the store again when a
run has changed it. For links too many for one HTML file.`,
		Example: `  linkcheck serve --store library.db
  linkcheck serve --store library.db --listen 127.0.0.1:9000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), r, listen) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &r.store)
	f.StringVar(&listen, "listen", "127.0.0.1:8427", "`ADDRESS` to listen on")
	f.StringVar(&r.o.RecordURL, "record-url", "", "`template` of a record's address")
	f.StringVar(&r.o.Lang, "lang", "en", "`language` of sentences")
	f.StringVar(&r.now, "now", "", "take this `time` for the present (for tests)")
	return cmd
}

func (a *app) serve(ctx context.Context, r *reportFlags, listen string) error {
	now, err := clock(r.now)
	if err != nil {
		return err
	}
	st, err := a.openToRead(r.store, now)
	if err != nil {
		return err
	}
	defer st.Close()
	r.o.Version, r.o.StorePath, r.o.ShowSecrets, r.o.Now = version, r.store, a.showSecrets, now()
	handler, err := report.NewServer(st, r.o)
	if err != nil {
		return reportFailed(err)
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return usage("--listen: %w", err)
	}
	srv := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		srv.Shutdown(end)
	}()
	fmt.Fprintf(a.stderr, "linkcheck: http://%s/ (Ctrl-C ends it)\n", l.Addr())
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return usage("serve: %w", err)
	}
	return nil
}
