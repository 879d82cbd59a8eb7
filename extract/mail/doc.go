// Package mail reads mailboxes, single messages and batches of news articles, with
// their MIME parts, encoded files and the messages that stand in the text of others.
//
// net/mail, mime/multipart and their kin stop at the first damage and do not say on
// which line a part stands, so messages are taken line by line here; only decoding
// (base64, encoded words, charsets) is left to libraries.
//
// The files in reading order:
//
//   - mbox.go: mailboxes in four dialects
//   - rnews.go: batches of news articles
//   - message.go: one message line by line, and its MIME parts
//   - embedded.go: messages that stand in the text of another
//   - part.go: what the header of a message or part says of its body
//   - body.go: the body of a part, decoded and handed on
//   - transfer.go: quoted-printable and base64
//   - uuencode.go: uuencoded and yEnc files inside text
//   - decoded.go: decoded text, to the scanner or to the reader of its format
//   - flowed.go: format=flowed
//   - entity.go: the part at hand, its number, and what is found in it
//   - header.go: header fields, and how headers and From_ lines are recognised
package mail
