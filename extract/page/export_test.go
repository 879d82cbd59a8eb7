package page

// For the tests beside this package, which read documents by the door.
var (
	CleanRef   = cleanRef
	Unfollowed = unfollowed
)
