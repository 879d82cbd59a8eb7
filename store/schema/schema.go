// Package schema holds the number of the form in which a store is written. It stands
// apart so that who only tells it need not know the store.
package schema

// Version numbers the form: an older store is brought to it when it is opened for writing,
// a newer one is refused.
const Version = 8
