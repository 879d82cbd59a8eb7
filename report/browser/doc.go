// Package browser holds the tests of the page in a real browser: speed,
// requests, accessibility, keyboard, print. They skip by name where Chromium or
// axe-core is missing, unless LINKCHECK_CHROMIUM=require.
package browser
