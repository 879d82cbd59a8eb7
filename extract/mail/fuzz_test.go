package mail_test

import (
	"testing"

	"linkcheck/extract/extracttest"
)

func FuzzMessage(f *testing.F) {
	extracttest.Fuzz(f, "1.eml", "message", "From: a\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"http://a=\n.org/\">\n--q\nContent-Transfer-Encoding: base64\n\nc2VlIGh0dHA6Ly9hLm9yZy94eXo\n--q--\n",
		"A: b\nContent-Type: text/plain; format=flowed; delsp=yes\n\n> http://a.org/ \n> b\nbegin 644 x\n#86)C\nend\n", "A: b\n\nFrom: c\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.org/=3D\n")
}

func FuzzMbox(f *testing.F) {
	extracttest.Fuzz(f, "a.mbox", "mbox", "From a@b Tue Apr  1 10:35:48 1997\nContent-Length: 14\n\nhttp://a.org/\n\nFrom a@b Tue Apr  1 10:35:48 1997\n\n>From http://b.org/\n")
}

func FuzzRnews(f *testing.F) {
	extracttest.Fuzz(f, "a", "rnews", "#! rnews 16\nA: b\n\nhttp://a/\n#! rnews 5\nA: b\n")
}
