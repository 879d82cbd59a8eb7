// Package sandbox is the second wall: from Enter on the kernel lets the process open only
// the files it was told of, whatever a document or a server makes it do. The first wall
// are the program's own checks. On Linux it is Landlock; elsewhere there is none.
//
// Of a verb it says nothing about the network, which the guard of package netguard judges
// by address. The process that starts a browser is different: see Programs.
package sandbox

// Files are what the process may still open. Names that are not there are passed over:
// whoever opens them is told so.
type Files struct {
	Read    []string // files, and folders with all below them
	Write   []string // files that are read, written and replaced: their folders are open too; of folders those in them
	Create  []string // folders that are filled, which need not be there yet
	Run     []string // programs that are started, confined as the process is, with those of the system
	Scratch string   // a folder for temporary files, which may be removed; "": none
}

// Programs are what a process may do beside, whose work is to start others. Those are
// confined as it is.
type Programs struct {
	Run     []string // programs, and folders with all below them that is read and started
	Use     []string // files of the kernel and devices that are read and written
	Connect uint16   // the only port to which TCP may connect; no other may be listened on
}
