// Package interop holds tests against real servers: each asks for something
// that is present, missing, refused and busy, and over TLS where the server has
// it. From some of them the program reads an archive, night after night;
// testdata/oai.pl is what Catmandu runs.
// install.sh unpacks the servers below .servers; a test skips by name where its
// server is missing, and fails instead when LINKCHECK_INTEROP=require. Beside
// them stands a browser, lynx, with its own opinion on the links of a page.
package interop
