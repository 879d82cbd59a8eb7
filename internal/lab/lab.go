// Package lab is the loopback internet of the demo and the tests: a small
// scripted server per protocol, behind the names that the shipped corpus uses.
package lab
